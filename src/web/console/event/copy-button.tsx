import { Check, Copy } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';

interface CopyButtonProps {
  readonly text: () => string;
  readonly label: string;
  readonly sign?: ReactNode;
  /** Whether the label is shown beside the icon. */
  readonly isLabeled?: boolean;
  /** The key that presses the button. */
  readonly shortcut?: string;
}

/** The button confirms a copy for this long. */
const CONFIRMED_MS = 2_000;

export function CopyButton({ text, label, sign = <Copy aria-hidden size={16} />, isLabeled = false, shortcut }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () =>
    writeClipboard(text()).then(
      () => setOutcome('copied'),
      () => setOutcome('refused'),
    );
  const shownLabel = outcome === 'copied' ? 'Copied' : outcome === 'refused' ? 'The browser refused to copy' : label;
  return (
    <button
      type="button"
      className={`button is-quiet ${isLabeled ? '' : 'is-square'}`}
      onClick={() => void copy()}
      aria-label={shownLabel}
      title={shortcut === undefined ? shownLabel : `${shownLabel} (${shortcut})`}
      aria-keyshortcuts={shortcut}
    >
      {outcome === 'copied' ? <Check aria-hidden size={16} /> : sign}
      {isLabeled && <span>{outcome === null ? label : shownLabel}</span>}
    </button>
  );
}

/** Writes to the clipboard. Browsers have `navigator.clipboard` only on pages over HTTPS and from localhost. */
async function writeClipboard(text: string): Promise<void> {
  if (!navigator.clipboard) throw new Error('This page has no clipboard.');
  await navigator.clipboard.writeText(text);
}
