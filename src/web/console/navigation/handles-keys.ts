const OWN_KEYS = 'input, textarea, select, [contenteditable], [role=listbox], [role=slider], details.menu[open]';

/**
 * Whether keys pressed in an element are no shortcuts: it is a field, a list, a slider or an open menu, or a dialog is open.
 */
export function handlesKeys(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true;
  return target instanceof HTMLElement && target.closest(OWN_KEYS) !== null;
}
