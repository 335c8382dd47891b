import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { type ConsoleFilter, withRange } from '../filter/console-filter.js';
import {
  findBucket,
  type Handle,
  limitsOf,
  markSelection,
  moveHandle,
  type Selection,
  selectBetween,
  selectBucket,
  toTimes,
} from '../histogram/brush.js';
import type { HistogramModel } from '../histogram/histogram-model.js';
import { useSetFilter } from '../navigation/use-page.js';
import { useZone } from '../preferences/time-zone.js';
import { formatAbsolute } from '../time/format-time.js';

interface HistogramBrushProps {
  readonly model: HistogramModel;
  /** Identifies the buckets of `model`. The brush ignores a selection that the user made among other buckets. */
  readonly bucketsKey: string;
  readonly filter: ConsoleFilter;
}

/** A drag over fewer pixels is a click. */
const CLICK_PIXELS = 4;

/** Selects a range of the histogram: by dragging the pointer, or by two handles that the keyboard moves. */
export function HistogramBrush({ model, bucketsKey, filter }: HistogramBrushProps) {
  const setFilter = useSetFilter();
  const all: Selection = { from: 0, to: model.bars.length };
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number } | null>(null);
  // With `bucketsKey` as a React key instead, new buckets would drop the selection too, but the handles would lose the focus.
  const [kept, setKept] = useState<{ readonly selection: Selection; readonly bucketsKey: string } | null>(null);
  const moved = kept?.bucketsKey === bucketsKey ? kept.selection : null;
  const dragged = drag && Math.abs(drag.to - drag.from) >= CLICK_PIXELS ? selectBetween(model, drag.from, drag.to) : undefined;
  const selection = dragged ?? moved ?? all;
  if (model.bars.length === 0 || model.width === 0) return null;

  const apply = (chosen: Selection) => {
    setKept(null);
    setFilter(withRange(filter, toTimes(model, chosen)));
  };
  const placeOf = (event: PointerEvent<HTMLDivElement>) => event.clientX - event.currentTarget.getBoundingClientRect().left;
  const begin = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ from: placeOf(event), to: placeOf(event) });
  };
  const end = () => {
    if (!drag) return;
    const bucket = findBucket(model, drag.to);
    if (dragged) apply(dragged);
    else if (bucket !== undefined) apply(selectBucket(bucket));
    setDrag(null);
  };
  const press = (handle: Handle) => (event: KeyboardEvent) => {
    if (event.key === 'Enter' && moved) return apply(moved);
    if (event.key === 'Escape' && moved) {
      event.preventDefault();
      return setKept(null);
    }
    const next = moveHandle(model, selection, handle, event.key);
    if (!next) return;
    event.preventDefault();
    setKept({ selection: next, bucketsKey });
  };

  const { x, width } = markSelection(model, selection);
  return (
    <>
      <div
        className="brush"
        onPointerDown={begin}
        onPointerMove={(event) => drag && setDrag({ ...drag, to: placeOf(event) })}
        onPointerUp={end}
        onPointerCancel={() => setDrag(null)}
      >
        {(dragged || moved) && <div className="brush-selection" style={{ left: x, width }} />}
      </div>
      <BrushHandle name="from" model={model} selection={selection} left={x} onPress={press('from')} />
      <BrushHandle name="to" model={model} selection={selection} left={x + width} onPress={press('to')} />
    </>
  );
}

interface BrushHandleProps {
  readonly name: Handle;
  readonly model: HistogramModel;
  readonly selection: Selection;
  readonly left: number;
  readonly onPress: (event: KeyboardEvent) => void;
}

function BrushHandle({ name, model, selection, left, onPress }: BrushHandleProps) {
  const { timeZone } = useZone();
  const [min, max] = limitsOf(model.bars.length, selection, name);
  const edge = model.edges[selection[name]];
  return (
    <div
      className="brush-handle"
      role="slider"
      tabIndex={0}
      aria-label={name === 'from' ? 'Start of the range. Enter applies it' : 'End of the range. Enter applies it'}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={selection[name]}
      aria-valuetext={edge === undefined ? '' : formatAbsolute(new Date(edge), timeZone)}
      style={{ left }}
      onKeyDown={onPress}
    />
  );
}
