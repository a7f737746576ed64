import type { JSX } from "preact";
import { type BoardModel, noFilters, route, routeHash } from "../model/index.ts";
import { connectionWords } from "./connection-words.ts";
import { isHelpOpen } from "./help.tsx";
import { IconButton } from "./icon-button.tsx";
import type { IconName } from "./icons.tsx";
import { nextTheme, theme } from "./theme.ts";

/** Renders the page's header. */
export function Header({ model }: { model: BoardModel }): JSX.Element {
  const { view } = route.value;
  return (
    <header class="header">
      <a class="brand" href={routeHash({ view: "overview", filters: noFilters })}>
        <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
          <rect x="1" y="2.5" width="18" height="15" rx="3.5" />
          <path d="m5 7.5 3 2.5-3 2.5M10.5 13H15" />
        </svg>
        <span>afk-triage</span>
      </a>
      <nav aria-label="Views">
        <NavLink
          href={routeHash({ view: "overview", filters: noFilters })}
          isCurrent={view === "overview" || view === "run"}
        >
          Board
        </NavLink>
        <NavLink href={routeHash({ view: "plots" })} isCurrent={view === "plots"}>
          Plots
        </NavLink>
        <NavLink href={routeHash({ view: "duplicates" })} isCurrent={view === "duplicates"}>
          Duplicates
        </NavLink>
        <NavLink href={routeHash({ view: "trust", repo: null })} isCurrent={view === "trust"}>
          Trust
        </NavLink>
        {model.connection.value.type === "still" || model.signedOut.value !== null ? null : (
          <NavLink href="/api/sweep" isCurrent={false}>
            Sweep
          </NavLink>
        )}
      </nav>
      <div class="header-end">
        <ConnectionState model={model} />
        {model.connection.value.type === "still" ? null : <NotifyButton model={model} />}
        <ThemeButton />
        <button
          type="button"
          class="icon-button"
          aria-label="Keyboard help"
          title="Keyboard help (?)"
          onClick={() => void (isHelpOpen.value = true)}
        >
          ?
        </button>
      </div>
    </header>
  );
}

function NavLink(props: { href: string; isCurrent: boolean; children: string }): JSX.Element {
  return (
    <a href={props.href} {...(props.isCurrent ? { "aria-current": "page" as const } : {})}>
      {props.children}
    </a>
  );
}

function ConnectionState({ model }: { model: BoardModel }): JSX.Element {
  const [text, tone] = connectionWords(model.connection.value, model.signedOut.value !== null);
  return (
    <span class={`connection tone-${tone}`} role="status">
      <span class="connection-dot" aria-hidden="true" />
      {text}
    </span>
  );
}

/** Renders the button that turns notifications on or off. It asks the browser for permission only when the reader presses it. */
function NotifyButton({ model: { notifier } }: { model: BoardModel }): JSX.Element | null {
  if (notifier.state.value === "unavailable") return null;
  const isOn = notifier.state.value === "on";
  const name =
    notifier.state.value === "denied"
      ? "Notifications: blocked in the browser's settings of this page"
      : `Notify me when a Triage Run waits for input: ${isOn ? "on" : "off"}`;
  return (
    <IconButton
      icon={isOn ? "bell" : "bell-off"}
      name={name}
      isPressed={isOn}
      onClick={() => void notifier.toggle()}
    />
  );
}

const THEME_ICONS: Record<string, IconName> = { light: "sun", dark: "moon", system: "system" };

function ThemeButton(): JSX.Element {
  const name = `Colours: ${theme.value}`;
  return <IconButton icon={THEME_ICONS[theme.value] ?? "system"} name={name} onClick={nextTheme} />;
}
