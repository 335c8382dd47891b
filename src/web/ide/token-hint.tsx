/** Shown until a token is accepted: explains how to get one. */
export function TokenHint() {
  return (
    <aside className="token-hint">
      <h2>Every request needs an API token</h2>
      <ul>
        <li>
          The first <code>npm start</code> prints one with the ADMIN role, and so does each <code>npm run demo</code>.
        </li>
        <li>
          For another one, stop the gateway first if it runs on its embedded database, then:{' '}
          <code>npm run -s gateway -- token create --name me --role VIEWER</code>
        </li>
      </ul>
      <p>Enter it above. It stays in this browser tab and is sent to this gateway only.</p>
    </aside>
  );
}
