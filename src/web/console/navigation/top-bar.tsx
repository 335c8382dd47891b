import { Keyboard, Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { loadTheme, saveTheme, THEMES, type Theme } from '../preferences/theme.js';
import { useZone } from '../preferences/time-zone.js';
import { describeExpiry, describeProjects } from '../session/describe-viewer.js';
import { useSession } from '../session/session.js';
import { Link } from './link.js';
import { urlOf } from './root.js';
import { usePage } from './use-page.js';

/** Whether this gateway serves the IDE. The gateway writes this into the page. */
const HAS_IDE = document.documentElement.dataset['ide'] === 'true';

/** The header of each page: links to the pages, the user's rights, the settings, and the list of shortcuts. */
export function TopBar() {
  const { route } = usePage();
  return (
    <header className="top-bar">
      <Link to={{ page: 'timeline' }} className="brand" aria-label="flag-admin-gateway, all events">
        <BrandSign />
        <span>flag-admin-gateway</span>
      </Link>
      <nav aria-label="Pages">
        <Link to={{ page: 'timeline' }} aria-current={route.page === 'timeline' || route.page === 'event' ? 'page' : undefined}>
          Events
        </Link>
        <Link to={{ page: 'invite' }} aria-current={route.page === 'invite' ? 'page' : undefined}>
          Invite
        </Link>
        {HAS_IDE && <a href={urlOf('graphiql/')}>GraphiQL</a>}
      </nav>
      <div className="viewer">
        <ViewerBadge />
        <ZoneSwitch />
        <ThemeSwitch />
        <KeysButton />
      </div>
    </header>
  );
}

function BrandSign() {
  return (
    <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
      <rect width="24" height="24" rx="6" fill="#d60590" />
      <path d="M7.5 5v14" stroke="#fff" strokeWidth="2" strokeLinecap="round" />
      <path d="M8 6h9.2l-2.4 3.5 2.4 3.5H8z" fill="#fff" />
    </svg>
  );
}

/** The name, role, projects and expiry of the token or session. */
function ViewerBadge() {
  const { viewer, token, signOut } = useSession();
  const expiry = describeExpiry(viewer);
  return (
    <>
      <span className="viewer-rights">
        <b>{viewer.name}</b>{' '}
        <span className="muted">
          {viewer.role}, {describeProjects(viewer)}
          {expiry !== null && `, ${expiry}`}
        </span>
      </span>
      {token !== '' && (
        <button type="button" className="button is-quiet" onClick={signOut}>
          Sign out
        </button>
      )}
    </>
  );
}

/** A button that lists the keyboard shortcuts, as the key `?` does. */
function KeysButton() {
  const show = () => document.querySelector<HTMLDialogElement>('#shortcuts')?.showModal();
  return (
    <button type="button" className="button is-quiet is-square keys-button" onClick={show} aria-label="Keys" title="Keys (?)">
      <Keyboard aria-hidden size={16} />
    </button>
  );
}

function ZoneSwitch() {
  const { choice, choose, timeZone } = useZone();
  const other = choice === 'utc' ? 'local' : 'utc';
  return (
    <button
      type="button"
      className="button is-quiet"
      title={`Times are in ${timeZone}.`}
      onClick={() => choose(other)}
      aria-label={`Times in ${timeZone}. Switch to ${other === 'utc' ? 'UTC' : 'local time'}`}
    >
      {choice === 'utc' ? 'UTC' : 'Local'}
    </button>
  );
}

const THEME_SIGNS = { system: Monitor, light: Sun, dark: Moon } as const;

function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(loadTheme);
  const Sign = THEME_SIGNS[theme];
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  const choose = () => {
    saveTheme(next);
    setTheme(next);
  };
  return (
    <button
      type="button"
      className="button is-quiet is-square"
      onClick={choose}
      aria-label={`Colors: ${theme}. Switch to ${next}`}
      title={`Colors: ${theme}`}
    >
      <Sign aria-hidden size={16} />
    </button>
  );
}
