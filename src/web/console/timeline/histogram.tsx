import { memo, useMemo, useRef } from 'react';
import type { ConsoleHistogramQuery } from '../../../generated/console/graphql.js';
import type { ConsoleFilter } from '../filter/console-filter.js';
import {
  type HistogramModel,
  layOutHistogram,
  listCountLabels,
  listTimeLabels,
  markRange,
} from '../histogram/histogram-model.js';
import { useZone } from '../preferences/time-zone.js';
import { HistogramBrush } from './histogram-brush.js';
import { HistogramTable } from './histogram-table.js';
import type { TimesInView } from './times-in-view.js';
import { useWidth } from './use-width.js';

type Counts = ConsoleHistogramQuery['eventCounts'];

interface HistogramProps {
  readonly counts: Counts;
  readonly filter: ConsoleFilter;
  /** The times of the rows in view; null until rows are shown. */
  readonly inView: TimesInView | null;
}

const HEIGHT = 72;
const LABEL_WIDTH = 90;
/** A label with less room would be cut off. */
const LEAST_LABEL_WIDTH = 60;

const Bars = memo(function Bars({ model }: { readonly model: HistogramModel }) {
  return model.bars.map(({ index, x, y, width, height }) => (
    <rect key={index} className="bar" x={x + 0.5} y={y} width={Math.max(1, width - 1)} height={height} />
  ));
});

/** The numbers of events over time, above the list. A range that the user selects becomes the range of the filter. */
export function Histogram({ counts, filter, inView }: HistogramProps) {
  const { timeZone } = useZone();
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const model = useMemo(() => layOutHistogram(counts.buckets, { width, height: HEIGHT }), [counts.buckets, width]);
  const mark = inView ? markRange(model, new Date(inView.oldest), new Date(inView.newest)) : undefined;
  return (
    <section className="histogram" aria-label="Events over time">
      <div ref={box} className="histogram-box">
        <svg width={width} height={HEIGHT} aria-hidden="true">
          <line className="grid-line" x1={0} x2={width} y1={0.5} y2={0.5} />
          <Bars model={model} />
          {mark && <rect className="in-view" x={mark.x} y={HEIGHT - 3} width={Math.max(3, mark.width)} height={3} />}
          <line className="axis" x1={0} x2={width} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
        </svg>
        <span className="histogram-max">{(listCountLabels(model).at(-1) ?? 0).toLocaleString('en')}</span>
        <HistogramBrush model={model} bucketsKey={`${counts.buckets[0]?.start} ${counts.buckets.length}`} filter={filter} />
      </div>
      <div className="histogram-times" aria-hidden>
        {listTimeLabels(model, timeZone, Math.max(2, Math.floor(width / LABEL_WIDTH)))
          .filter(({ x }) => x === 0 || x + LEAST_LABEL_WIDTH <= width)
          .map(({ x, text }) => (
            <span key={x} style={{ left: x }}>
              {text}
            </span>
          ))}
      </div>
      <HistogramTable buckets={counts.buckets} />
    </section>
  );
}
