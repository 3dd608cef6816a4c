import type { RelatedResource, RelationsOf } from '../../data/relations.ts'

/** A box of the bow tie, in px. Without a resource it says how many more there are. */
export interface Placed {
  key: string
  resource: RelatedResource | undefined
  text: string
  x: number
  y: number
  width: number
  height: number
  isCentre: boolean
}

interface Line {
  key: string
  d: string
  /** The relation in words, for what it needs. */
  label: string | undefined
  labelX: number
  labelY: number
}

const [boxHeight, pitch, top, centreHeight] = [40, 48, 26, 84]
const maxBoxes = 5
/** What answers requests from outside of a cluster. */
const outsideKinds: ReadonlySet<string> = new Set(['ingress', 'gateway'])
const geometry = {
  needs: { x: 0, width: 186 },
  centre: { x: 300, width: 196 },
  direct: { x: 566, width: 150 },
  further: { x: 800, width: 150 },
  outside: { x: 986, width: 150 },
} as const
const wideDirect = 260
type ColumnName = keyof typeof geometry

/** Where everything of a bow tie stands: needs at the left, what needs it at the right, the addresses outside last. */
export function placeBowTie({
  resource,
  needs,
  needsTotal,
  neededBy,
  neededByTotal,
  directTotal,
}: RelationsOf) {
  const outside = neededBy.filter(({ kind, step }) => outsideKinds.has(kind) && step > 1)
  const direct = neededBy.filter(({ step }) => step === 1)
  const further = neededBy.filter(({ kind, step }) => step > 1 && !outsideKinds.has(kind))
  const furtherTotal = neededByTotal - directTotal - outside.length
  const isShort = furtherTotal <= 0 && outside.length === 0
  const boxes: Placed[] = [
    ...stack('needs', needs, needsTotal),
    // Where nothing follows, names have the room to be whole.
    ...stack('direct', direct, directTotal).map((box) => (isShort ? { ...box, width: wideDirect } : box)),
    ...stack('further', further, furtherTotal),
    ...stack('outside', outside, outside.length),
  ]
  const height = Math.max(centreHeight + top, ...boxes.map(({ y }) => y + boxHeight)) + 4
  const centre: Placed = {
    key: `centre ${resource.id}`,
    resource,
    text: '',
    ...geometry.centre,
    y: Math.round(top + (height - top - centreHeight) / 2),
    height: centreHeight,
    isCentre: true,
  }
  const placeOf = new Map(boxes.flatMap((box) => (box.resource ? [[box.resource.id, box] as const] : [])))
  const lines: Line[] = [
    ...boxes
      .filter(({ x }) => x === geometry.needs.x)
      .map((box) => line(centre, box, needs.find(({ id }) => id === box.resource?.id)?.text)),
    ...boxes.filter(({ x }) => x === geometry.direct.x).map((box) => line(box, centre)),
    ...[...further, ...outside].flatMap(({ id, by }) => {
      const [from, to] = [placeOf.get(id), placeOf.get(by)]
      return from && to && from.x > to.x ? [line(from, to)] : []
    }),
  ]
  const columns = [
    { ...geometry.needs, title: 'It needs', count: needsTotal },
    {
      ...geometry.direct,
      ...(isShort && { width: wideDirect }),
      title: '1 step',
      count: directTotal,
    },
    ...(furtherTotal > 0 ? [{ ...geometry.further, title: '2 and more steps', count: furtherTotal }] : []),
    ...(outside.length > 0 ? [{ ...geometry.outside, title: 'Outside', count: outside.length }] : []),
  ]
  const width = Math.max(centre.x + centre.width, ...boxes.map((box) => box.x + box.width))
  return { width, height, columns, boxes: [...boxes, centre], lines }
}

function stack(column: ColumnName, rows: readonly RelatedResource[], total: number): Placed[] {
  const isFull = total > maxBoxes
  const shown = rows.slice(0, isFull ? maxBoxes - 1 : maxBoxes)
  const more = total - shown.length
  const boxes = shown.map((resource): Omit<Placed, 'y'> => ({
    key: `${column} ${resource.id}`,
    resource,
    text: '',
    ...geometry[column],
    height: boxHeight,
    isCentre: false,
  }))
  if (more > 0)
    boxes.push({
      key: `${column} more`,
      resource: undefined,
      text: `${more} more`,
      ...geometry[column],
      height: boxHeight,
      isCentre: false,
    })
  return boxes.map((box, index) => ({ ...box, y: top + index * pitch }))
}

/** From what needs to what is needed: leftwards. */
function line(from: Placed, to: Placed, label?: string): Line {
  const [x1, y1] = [from.x, from.y + from.height / 2]
  const [x2, y2] = [to.x + to.width, to.y + to.height / 2]
  const bend = (x1 - x2) / 2
  return {
    key: `${from.key} ${to.key}`,
    d: `M${x1} ${y1}C${x1 - bend} ${y1} ${x2 + bend} ${y2} ${x2 + 1} ${y2}`,
    label,
    labelX: x2 + 8,
    labelY: y2,
  }
}
