const OWN_KEYS = 'input, textarea, select, [contenteditable], [role=listbox], [role=slider], details.menu[open]';

/**
 * Returns true if keys pressed in an element are not shortcuts. This applies to fields, lists, sliders and open menus, and to all
 * elements while a dialog is open.
 */
export function handlesKeys(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true;
  return target instanceof HTMLElement && target.closest(OWN_KEYS) !== null;
}
