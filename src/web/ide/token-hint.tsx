/** Explains how to get a token. The page shows this hint while there is no token, or while the gateway rejects the token. */
export function TokenHint() {
  return (
    <aside className="token-hint">
      <h2>Every request needs an API token</h2>
      <ul>
        <li>The first start of the gateway prints one with the ADMIN role, and so does each start of its demo.</li>
        <li>
          The gateway's command <code>token create --name me --role VIEWER</code> prints another one.
        </li>
        <li>Beside an Unleash server, use an API token of that server.</li>
      </ul>
      <p>Enter it above. It stays in this browser tab and is sent to this gateway only.</p>
    </aside>
  );
}
