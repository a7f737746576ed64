import type { ComponentChildren, JSX } from "preact";
import { httpsUrl } from "../browser/index.ts";
import { Icon } from "./icons.tsx";

/** Text alone where the address is not https: what comes from a store is not trusted. */
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
