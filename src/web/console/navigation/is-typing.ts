/** Whether a key press belongs to a field, a menu, a slider or a dialog, so that it is no shortcut of the page. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.closest('input, textarea, select, [contenteditable], [role=dialog], [role=listbox], [role=menu], [role=slider]') !==
    null
  );
}
