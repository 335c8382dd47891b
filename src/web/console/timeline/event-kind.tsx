import {
  Archive,
  ArchiveRestore,
  CircleDot,
  GitPullRequestArrow,
  Minus,
  Pencil,
  Plus,
  Tag,
  ToggleLeft,
  ToggleRight,
} from 'lucide-react';

/** Patterns of type names with the icon and the tone of their events. The first pattern that matches applies. */
const SIGNS = [
  [/environment-enabled$/, ToggleRight, 'on'],
  [/environment-disabled$/, ToggleLeft, 'off'],
  [/^change-/, GitPullRequestArrow, 'neutral'],
  [/-(archived|completed)$/, Archive, 'off'],
  [/-(revived|uncompleted|reactivated)$/, ArchiveRestore, 'on'],
  [/^feature-(un)?tagged$/, Tag, 'neutral'],
  [/-(created|add|added|registered|approved)$/, Plus, 'on'],
  [/(-(deleted|remove|removed|rejected|discarded|cancelled)$|^drop-)/, Minus, 'off'],
  [/-(updated|update|changed|change|edited)$/, Pencil, 'neutral'],
] as const;

/** The icon of an event type. It repeats what the sentence says, so screen readers skip it. */
export function EventSign({ typeName }: { readonly typeName: string }) {
  const [, Icon, tone] = SIGNS.find(([pattern]) => pattern.test(typeName)) ?? [null, CircleDot, 'neutral'];
  return <Icon className="event-sign" data-tone={tone} aria-hidden size={16} strokeWidth={2} />;
}
