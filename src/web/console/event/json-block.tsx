import { CopyButton } from './copy-button.js';

interface JsonBlockProps {
  readonly title: string;
  readonly value: unknown;
  readonly isClosed?: boolean;
}

/** A JSON value as text, with a button that copies it. */
export function JsonBlock({ title, value, isClosed = false }: JsonBlockProps) {
  const text = JSON.stringify(value, null, 2);
  return (
    <details className="json-block" open={!isClosed}>
      <summary>{title}</summary>
      <div className="json-body">
        <CopyButton text={() => text} label={`Copy ${title.toLowerCase()}`} />
        <pre>{text}</pre>
      </div>
    </details>
  );
}
