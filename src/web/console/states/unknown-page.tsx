import { Link } from '../navigation/link.js';

export function UnknownPage() {
  return (
    <main className="page">
      <h1>There is no such page</h1>
      <p>
        <Link to={{ page: 'timeline' }}>All events</Link>
      </p>
    </main>
  );
}
