import {
  Background,
  type Edge,
  MarkerType,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
  ViewportPortal,
} from '@xyflow/react'
import base from '@xyflow/react/dist/base.css?inline'
import { Maximize, Minus, Plus } from 'lucide-react'
import type { CSSProperties, KeyboardEvent, ReactNode } from 'react'
import { useEffect, useMemo, useRef } from 'react'
import type { RelatedResource, RelationGraph } from '../../data/relations.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { boxSize } from './box-size.ts'
import { type Line, linesOf } from './graph-lines.ts'
import { headOf, KindBox, type KindNode } from './kind-box.tsx'
import { PathOverlay } from './path-overlay.tsx'
import { useBoxLayout } from './use-box-layout.ts'
import { nextBox } from './walk-boxes.ts'

export interface GraphCanvasProps {
  label: string
  graph: RelationGraph
  /** The open kind; its members are in the reply once that is there. */
  open: string | undefined
  /** The steps of a path, in order. */
  path: readonly RelatedResource[]
  reached: ReadonlyMap<string, number> | undefined
  selected: string | undefined
  onToggle: (kind: string) => void
  onSelect: (id: string) => void
  legend: ReactNode
}

const nodeTypes = { kind: KindBox }
const whole = { padding: { x: '24px', top: '24px', bottom: '56px' }, maxZoom: 1 } as const
const colors = {
  '--xy-edge-stroke-default': 'var(--line-strong)',
  '--xy-background-pattern-dots-color-default': 'var(--line-strong)',
} satisfies Record<`--${string}`, string> as CSSProperties
const tint = '@keyframes tick-tint { from { opacity: 1 } to { opacity: 0 } }'

/** Kinds as boxes, with edges that say how many relations there are. Load it lazily: the graph library is heavy. */
export function GraphCanvas(props: GraphCanvasProps) {
  return (
    <ReactFlowProvider>
      {/* In the chunk of the graph, not in the style sheet of every page. */}
      <style href="relation-graph" precedence="low">
        {`${base}${tint}`}
      </style>
      <Canvas {...props} />
    </ReactFlowProvider>
  )
}

function Canvas(props: GraphCanvasProps) {
  const { label, graph, open, path, reached, selected, onToggle, onSelect, legend } = props
  const flow = useReactFlow()
  const host = useRef<HTMLDivElement>(null)
  const opened = graph.opened?.kind === open ? graph.opened : undefined
  const sizes = useMemo(
    () =>
      graph.boxes.map((box) => ({
        kind: box.kind,
        ...boxSize({
          kind: box.kind,
          head: headOf(box),
          ticks: box.ticks.length,
          members: box.kind === open ? (opened?.resources.length ?? 1) : undefined,
        }),
      })),
    [graph.boxes, open, opened],
  )
  const lines = useMemo(() => linesOf(graph.edges), [graph.edges])
  const layout = useBoxLayout(sizes, lines)

  const acts = useRef({ onToggle, onSelect })
  useEffect(() => {
    acts.current = { onToggle, onSelect }
  })
  const nodes = useMemo(
    () =>
      graph.boxes.flatMap((box): KindNode[] => {
        const position = layout?.get(box.kind)
        const size = sizes.find(({ kind }) => kind === box.kind)
        if (!position || !size) return []
        const { width, height } = size
        const inner = box.ticks.some(({ id }) => id === selected) || box.kind === open
        return [
          {
            id: box.kind,
            type: 'kind',
            position,
            width,
            height,
            measured: { width, height },
            handles: [
              { type: 'target', position: Position.Left, x: 0, y: 14, width: 1, height: 1 },
              { type: 'source', position: Position.Right, x: width, y: 14, width: 1, height: 1 },
            ],
            data: {
              box,
              members: box.kind === open ? (opened?.resources ?? []) : undefined,
              reached,
              selected: inner ? selected : undefined,
              onToggle: () => acts.current.onToggle(box.kind),
              onSelect: (id) => acts.current.onSelect(id),
            },
          },
        ]
      }),
    [graph.boxes, layout, sizes, open, opened, reached, selected],
  )
  const edges = useMemo(() => lines.map(edgeOf), [lines])

  // Shown whole until somebody moves it: while kinds arrive and the room changes. Opening a kind keeps the place.
  const hasMoved = useRef(false)
  const room = useStore(({ width, height }) => `${width} ${height}`)
  const kinds = nodes.map(({ id }) => id).join(' ')
  useEffect(() => {
    if (kinds !== '' && !hasMoved.current) void flow.fitView(whole)
  }, [kinds, room, flow])

  const walk = (event: KeyboardEvent) => {
    const from = event.target instanceof Element ? event.target.getAttribute('data-kind-box') : null
    if (from === null || !layout) return
    const next = nextBox(from, event.key, layout, lines)
    if (next === undefined) return
    event.preventDefault()
    host.current?.querySelector<HTMLElement>(`[data-kind-box="${CSS.escape(next)}"]`)?.focus()
  }
  const boxOf = (kind: string) => {
    const point = layout?.get(kind)
    const box = graph.boxes.find((each) => each.kind === kind)
    return point && box ? { point, ticks: box.ticks } : undefined
  }
  return (
    // Arrow keys reach the focused box first and walk from there.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={host}
      aria-label={label}
      onKeyDown={walk}
      style={colors}
      className="relative min-h-0 min-w-0 flex-1"
    >
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        onMoveStart={(event) => {
          // Moves of the program itself have no event.
          if (event !== null) hasMoved.current = true
        }}
        panOnScroll
        zoomOnScroll={false}
        zoomOnDoubleClick={false}
        minZoom={0.2}
        maxZoom={2}
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={16} size={1} />
        <ViewportPortal>
          <PathOverlay path={path} boxOf={boxOf} />
        </ViewportPortal>
      </ReactFlow>
      <div className="absolute bottom-3 left-3 flex gap-1.5">
        <IconButton
          label="Zoom in"
          size="small"
          icon={<Plus size={14} aria-hidden />}
          onClick={() => {
            hasMoved.current = true
            void flow.zoomIn()
          }}
          className={control}
        />
        <IconButton
          label="Zoom out"
          size="small"
          icon={<Minus size={14} aria-hidden />}
          onClick={() => {
            hasMoved.current = true
            void flow.zoomOut()
          }}
          className={control}
        />
        <IconButton
          label="Show the whole graph"
          size="small"
          icon={<Maximize size={14} aria-hidden />}
          onClick={() => {
            hasMoved.current = false
            void flow.fitView(whole)
          }}
          className={control}
        />
      </div>
      <div className="pointer-events-none absolute right-3 bottom-4 bg-bg text-small text-text-2">
        {legend}
      </div>
    </section>
  )
}

const control = 'border border-line-strong bg-raised'

function edgeOf({ from, to, label }: Line): Edge {
  return {
    id: `${from} ${to}`,
    source: from,
    target: to,
    label,
    markerEnd: { type: MarkerType.Arrow, width: 14, height: 14 },
    style: { strokeWidth: 1.25 },
    labelStyle: { fill: 'var(--text-2)', fontSize: '0.75rem' },
    labelBgStyle: { fill: 'var(--bg)' },
    // The table lists every relation for screen readers.
    domAttributes: { 'aria-hidden': true },
  }
}
