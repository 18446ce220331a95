/** One line of a panel: its values in the order of the scrapes. */
export interface Line {
  readonly name: string;
  readonly values: readonly number[];
}

export interface Panel {
  readonly title: string;
  /** How a value stands at the axis. */
  readonly show: (value: number) => string;
  readonly lines: readonly Line[];
}

export const PANEL_WIDTH = 480;
export const PANEL_HEIGHT = 200;

const COLORS = ["#3b7dd8", "#d8833b", "#4a9c5d", "#b04a8f", "#8a8a2f", "#5fb0b8"];
const AREA = { left: 64, right: 16, top: 34, bottom: 40 };
const [WIDTH, HEIGHT] = [PANEL_WIDTH - AREA.left - AREA.right, PANEL_HEIGHT - AREA.top - AREA.bottom];

/** A panel as SVG, with its upper left corner at a place. */
export function drawn({ title, show, lines }: Panel, x: number, y: number): string {
  const highest = Math.max(1e-9, ...lines.flatMap(({ values }) => values));
  const grid = [0, 0.5, 1].map((share) => {
    const at = AREA.top + HEIGHT * (1 - share);
    return `<path d="M${AREA.left} ${at}h${WIDTH}" stroke="#8884"/><text x="${AREA.left - 6}" y="${at + 4}" text-anchor="end">${escaped(show(highest * share))}</text>`;
  });
  const paths = lines.map(({ values }, i) => {
    const points = values.map((value, at) => {
      const px = AREA.left + (WIDTH * at) / Math.max(1, values.length - 1);
      return `${px.toFixed(1)} ${(AREA.top + HEIGHT * (1 - value / highest)).toFixed(1)}`;
    });
    return `<path d="M${points.join("L")}" fill="none" stroke="${COLORS[i % COLORS.length]}" stroke-width="1.5"/>`;
  });
  const legend = lines.map(({ name }, i) => {
    const at = AREA.left + (i % 4) * 100;
    const below = PANEL_HEIGHT - 22 + Math.floor(i / 4) * 14;
    return `<path d="M${at} ${below - 4}h12" stroke="${COLORS[i % COLORS.length]}" stroke-width="3"/><text x="${at + 16}" y="${below}">${escaped(name)}</text>`;
  });
  const heading = `<text x="12" y="20" font-size="14" font-weight="bold">${escaped(title)}</text>`;
  const frame = `<rect x="2" y="2" width="${PANEL_WIDTH - 4}" height="${PANEL_HEIGHT - 4}" rx="6" fill="#fff" stroke="#8886"/>`;
  return `<g transform="translate(${x} ${y})">${[frame, heading, ...grid, ...paths, ...legend].join("")}</g>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
