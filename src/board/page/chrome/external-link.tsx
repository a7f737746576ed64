import type { ComponentChildren, JSX } from "preact";
import { httpsUrl } from "../browser/index.ts";
import { Icon } from "./icons.tsx";

/** Renders a link, or only its text if the address is not https, because addresses from a store are not trusted. */
export function ExternalLink({
  url,
  children,
}: {
  url: string | null;
  children: ComponentChildren;
}): JSX.Element {
  const href = httpsUrl(url);
  if (href === null) return <span>{children}</span>;
  return (
    <a class="external" href={href} target="_blank" rel="noreferrer noopener">
      {children}
      <Icon name="external" />
    </a>
  );
}
