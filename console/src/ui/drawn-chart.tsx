import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import styles from './drawn-chart.module.css';

const height = 240;

/** A part of each bar of a chart: the layers of a chart stand on each other. */
export interface Layer {
  name: string;
  /** `bad` for what has failed. */
  tone: 'main' | 'soft' | 'bad';
  /** One for each label. */
  values: readonly number[];
}

/** The bars of a chart, as layers on top of each other, and how their values are written. */
export interface DrawingProps {
  /** The names of the bars, from left to right, short enough to stand below them. */
  names: readonly string[];
  layers: readonly Layer[];
  format: (value: number) => string;
}

function DrawnChart({ names, layers, format }: DrawingProps) {
  const drawing = useRef<HTMLDivElement>(null);
  const legend = useRef<HTMLParagraphElement>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  useEffect(() => {
    const element = drawing.current;
    if (!element) return;
    const toColour = (index: number) => {
      const mark = legend.current?.querySelectorAll('[data-tone]')[index];
      return mark ? getComputedStyle(mark).backgroundColor : '';
    };
    const options = toOptions({ element, names, layers, format, toColour });
    options.hooks = { setCursor: [({ cursor: { idx } }) => setHovered(idx ?? null)] };
    const plot = new uPlot(options, toData(names, layers), element);
    const stops = [followWidth(element, plot), followColours(() => plot.redraw())];
    return () => {
      for (const stop of stops) stop();
      plot.destroy();
    };
  }, [names, layers, format]);
  const shown = hovered === null ? undefined : names[hovered];
  return (
    <>
      <p ref={legend} className={styles.legend}>
        {layers.map(({ name, tone, values }) => (
          <span key={name} className={styles.layer}>
            <i className={styles.mark} data-tone={tone} />
            {name}
            {shown !== undefined && ` ${format(values[hovered ?? 0] ?? 0)}`}
          </span>
        ))}
        {shown}
      </p>
      <div ref={drawing} className={styles.drawing} />
    </>
  );
}

/** The places of the bars, and the tops of their layers: the highest is drawn first, the lower ones before it. */
function toData(names: readonly string[], layers: readonly Layer[]): uPlot.AlignedData {
  const places = names.map((_, index) => index);
  const tops = layers.map((_, upTo) =>
    places.map((index) =>
      layers.slice(0, upTo + 1).reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
    ),
  );
  return [places, ...tops.toReversed()];
}

interface Drawing extends DrawingProps {
  element: HTMLElement;
  /** The colour of a layer. */
  toColour: (index: number) => string;
}

function toOptions({ element, names, layers, format, toColour }: Drawing): uPlot.Options {
  const ink = () => getComputedStyle(element).color;
  const line = () => getComputedStyle(element).borderTopColor;
  const axis = { stroke: ink, font: '12px system-ui, sans-serif', ticks: { show: false } };
  const hasBars = layers.some(({ values }) => values.some((value) => value > 0));
  const bars = uPlot.paths.bars?.({ size: [0.72, 36], gap: 1 });
  return {
    ...{ width: element.clientWidth, height, padding: [8, 4, 0, 0], legend: { show: false } },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: { x: { time: false, range: () => [-0.5, names.length - 0.5] }, y: { range: toRange } },
    series: [
      {},
      ...layers.map((_, index) => {
        const colour = () => toColour(layers.length - 1 - index);
        return {
          width: 0,
          fill: colour,
          stroke: colour,
          points: { show: false },
          ...(bars && { paths: bars }),
        };
      }),
    ],
    axes: [
      {
        ...axis,
        ...{ grid: { show: false }, size: 24, gap: 4, space: 64, incrs: [1, 2, 7, 14, 30, 60] },
        values: (_, places) => places.map((place) => names[place] ?? ''),
      },
      {
        ...axis,
        ...{ grid: { stroke: line, width: 1 }, size: 58, space: 44 },
        // Without a bar the numbers say nothing.
        values: (_, values) => values.map((value) => (hasBars || value === 0 ? format(value) : '')),
      },
    ],
  };
}

/** From zero to a little above the highest bar; an empty chart has a height too. */
const toRange = (_: uPlot, __: number | null, most: number | null): [number, number] => [
  0,
  (most ?? 0) * 1.06 || 1,
];

function followWidth(element: HTMLElement, plot: uPlot): () => void {
  const observer = new ResizeObserver(() => {
    if (element.clientWidth > 0) plot.setSize({ width: element.clientWidth, height });
  });
  observer.observe(element);
  return () => observer.disconnect();
}

/** Calls back when the colours of the page change, by the system or by choice. */
function followColours(onChange: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = new MutationObserver(onChange);
  system.addEventListener('change', onChange);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', onChange);
    chosen.disconnect();
  };
}

// React loads a component by the default export of its module.
// eslint-disable-next-line no-restricted-syntax
export default DrawnChart;
