import { useEffect, useRef } from 'react';
import { handlesKeys } from '../navigation/handles-keys.js';

const KEYS = [
  ['/', 'Go to the filter'],
  ['j, k', 'The next and the previous event'],
  ['↓, ↑', 'The same, when a row has the focus'],
  ['Enter', 'Open the event of the row'],
  ['Esc', 'Close the event, a menu or the suggestions'],
  ['c', 'Copy a link to this view'],
  ['l', 'Start or pause live events'],
  ['n', 'Show the new events that wait'],
  ['?', 'Show these keys'],
] as const;

/** Handles shortcuts. A key clicks the button or focuses the field whose `aria-keyshortcuts` is this key. `?` lists the keys. */
export function Shortcuts() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || handlesKeys(event.target)) return;
      if (event.key === '?') {
        dialog.current?.showModal();
        return event.preventDefault();
      }
      if (!/^[/cln]$/.test(event.key)) return;
      const target = document.querySelector<HTMLElement>(`[aria-keyshortcuts="${event.key}"]`);
      if (!target) return;
      event.preventDefault();
      if (target instanceof HTMLInputElement) target.select();
      else target.click();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return (
    <dialog id="shortcuts" ref={dialog} className="shortcuts" aria-labelledby="shortcuts-title">
      <h2 id="shortcuts-title">Keys</h2>
      <table>
        <tbody>
          {KEYS.map(([key, effect]) => (
            <tr key={key}>
              <th scope="row">
                <kbd>{key}</kbd>
              </th>
              <td>{effect}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <form method="dialog">
        <button type="submit" className="button">
          Close
        </button>
      </form>
    </dialog>
  );
}
