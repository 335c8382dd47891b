/** Whether a key press is in a field, or in an element with the role dialog, listbox, menu or slider. Shortcuts ignore it. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.closest('input, textarea, select, [contenteditable], [role=dialog], [role=listbox], [role=menu], [role=slider]') !==
    null
  );
}
