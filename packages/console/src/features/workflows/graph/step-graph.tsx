import { Background, MarkerType, Position, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react'
import type { Edge, NodeHandle } from '@xyflow/react'
import base from '@xyflow/react/dist/base.css?inline'
import type { CSSProperties, KeyboardEvent, ReactNode } from 'react'
import { useEffect, useMemo, useRef } from 'react'
import { cx } from '../../../ui/class-names.ts'
import { graphOf } from './collapse-steps.ts'
import { GraphControls, wholeGraph } from './graph-controls.tsx'
import type { StepNode } from './graph-node.tsx'
import { GraphNodeBox } from './graph-node.tsx'
import type { Direction, EdgeLook, GraphNode, GraphStep, NodeLook } from './graph-step.ts'
import { nodeSize } from './graph-step.ts'
import type { Point } from './layout-worker.ts'
import type { Layout } from './use-graph-layout.ts'
import { useGraphLayout } from './use-graph-layout.ts'
import { nextNode } from './walk-graph.ts'

export interface StepGraphProps {
  /** The accessible name. */
  label: string
  steps: readonly GraphStep[]
  direction: Direction
  /** Looks of a node. A node of several steps is asked for as such: see `members`. Keep it stable between renders. */
  lookOf: (node: GraphNode) => NodeLook
  edgeLookOf?: (from: string, to: string) => EdgeLook
  /** Key of the selected step; its node is marked. */
  selected: string | undefined
  /** Key of a step whose node comes into view when another is named here: what a person chose, not what follows a run. */
  revealed?: string | undefined
  /** A node was chosen; where the graph is collapsed it represents several steps. */
  onSelect: (node: GraphNode) => void
  /** Draws an edge from one step to another by dragging. Whoever allows it offers the same in a form. */
  onConnect?: (from: string, to: string) => void
  /** In the lower right corner: a legend. */
  legend?: ReactNode
  className?: string
}

/** Smaller than this no name can be read. */
const readableZoom = 0.4

const nodeTypes = { step: GraphNodeBox }
const colors = {
  '--xy-edge-stroke-default': 'var(--text-3)',
  '--xy-background-pattern-dots-color-default': 'var(--line-strong)',
} satisfies Record<`--${string}`, string> as CSSProperties

/**
 * Steps as a graph: arrow keys walk along its edges, the wheel and dragging move it, Ctrl with the wheel zooms. Nodes
 * move only when steps or their needs change, never with what they look like. Load it lazily: the graph library is
 * heavy.
 */
export function StepGraph(props: StepGraphProps) {
  return (
    <ReactFlowProvider>
      {/* In the chunk of the graph, not in the style sheet of every page. */}
      <style href="step-graph" precedence="low">
        {base}
      </style>
      <StepGraphView {...props} />
    </ReactFlowProvider>
  )
}

function StepGraphView(props: StepGraphProps) {
  const { label, steps, direction, lookOf, edgeLookOf, legend, className } = props
  const { selected, revealed, onSelect, onConnect } = props
  const graph = useMemo(() => graphOf(steps), [steps])
  const layout = useGraphLayout(graph, direction)
  const host = useRef<HTMLDivElement>(null)
  const flow = useReactFlow()
  const nodeOf = (step: string | undefined) =>
    step === undefined ? undefined : graph.nodes.find(({ members }) => members.includes(step))
  const selectedNode = nodeOf(selected)
  const isConnectable = onConnect !== undefined && !graph.isCollapsed

  const select = useRef(onSelect)
  useEffect(() => {
    select.current = onSelect
  })
  const nodes = useMemo(
    () =>
      graph.nodes.flatMap((node): StepNode[] => {
        const position = layout?.get(node.id)
        if (!position) return []
        return [
          {
            id: node.id,
            type: 'step',
            position,
            ...nodeSize,
            // Known beforehand: nothing is measured, and edges are there at once.
            measured: nodeSize,
            handles: handlesOf(direction),
            data: {
              look: lookOf(node),
              direction,
              isSelected: node === selectedNode,
              isConnectable,
              onSelect: () => select.current(node),
            },
          },
        ]
      }),
    [graph, layout, lookOf, direction, selectedNode, isConnectable],
  )
  const edges = useMemo(
    () => graph.edges.map(({ from, to }) => edgeOf(from, to, edgeLookOf?.(from, to))),
    [graph, edgeLookOf],
  )

  // The first layout is shown whole, or, where whole it could not be read, around the
  // selected step or the first one. Later ones keep the place.
  const isPlaced = layout !== undefined && nodes.length > 0
  const start = useRef<Point>(undefined)
  const points = useRef<Layout>(undefined)
  useEffect(() => {
    start.current = layout?.get((selectedNode ?? graph.nodes[0])?.id ?? '')
    points.current = layout
  })
  useEffect(() => {
    if (!isPlaced) return
    void flow.fitView(wholeGraph).then(() => {
      const point = start.current
      if (!point || flow.getZoom() >= readableZoom) return
      void flow.setCenter(...centerOf(point), { zoom: 0.8 })
    })
  }, [isPlaced, flow])

  const revealedId = nodeOf(revealed)?.id
  useEffect(() => {
    const point = revealedId === undefined ? undefined : points.current?.get(revealedId)
    const box = host.current?.getBoundingClientRect()
    if (!point || !box) return
    const { x, y, zoom } = flow.getViewport()
    const [left, top] = [point.x * zoom + x, point.y * zoom + y]
    const isSeen =
      left >= 0 &&
      top >= 0 &&
      left + nodeSize.width * zoom <= box.width &&
      top + nodeSize.height * zoom <= box.height
    if (!isSeen) void flow.setCenter(...centerOf(point), { zoom })
  }, [revealedId, flow])

  const walk = (event: KeyboardEvent) => {
    const from = event.target instanceof Element ? event.target.getAttribute('data-graph-node') : null
    if (!layout || from === null) return
    const next = nextNode(graph, layout, from, event.key, direction)
    const node = graph.nodes.find(({ id }) => id === next)
    if (!node) return
    event.preventDefault()
    onSelect(node)
    const point = layout.get(node.id)
    if (point) void flow.setCenter(...centerOf(point), { zoom: flow.getZoom() })
    host.current?.querySelector<HTMLElement>(`[data-graph-node="${CSS.escape(node.id)}"]`)?.focus()
  }

  return (
    // Arrow keys reach the focused node first and walk from there.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={host}
      aria-label={label}
      onKeyDown={walk}
      style={colors}
      className={cx('relative min-h-0 min-w-0', className)}
    >
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        nodesDraggable={false}
        nodesConnectable={isConnectable}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        panOnScroll
        zoomOnScroll={false}
        zoomOnDoubleClick={false}
        minZoom={0.1}
        maxZoom={1.5}
        onlyRenderVisibleElements={nodes.length > 60}
        defaultMarkerColor={null}
        proOptions={{ hideAttribution: true }}
        onConnect={({ source, target }) => onConnect?.(source, target)}
      >
        <Background gap={16} size={1} />
      </ReactFlow>
      <GraphControls />
      {legend ? (
        <div className="pointer-events-none absolute right-3 bottom-3 text-small text-text-2">{legend}</div>
      ) : null}
    </section>
  )
}

const centerOf = ({ x, y }: Point) => [x + nodeSize.width / 2, y + nodeSize.height / 2] as const

/** Where edges begin and end: in the middle of a side. */
function handlesOf(direction: Direction): NodeHandle[] {
  const { width, height } = nodeSize
  return direction === 'down'
    ? [
        { type: 'target', position: Position.Top, x: width / 2, y: 0, width: 1, height: 1 },
        { type: 'source', position: Position.Bottom, x: width / 2, y: height, width: 1, height: 1 },
      ]
    : [
        { type: 'target', position: Position.Left, x: 0, y: height / 2, width: 1, height: 1 },
        { type: 'source', position: Position.Right, x: width, y: height / 2, width: 1, height: 1 },
      ]
}

function edgeOf(from: string, to: string, look: EdgeLook = {}): Edge {
  return {
    id: `${from}\n${to}`,
    source: from,
    target: to,
    label: look.label,
    markerEnd: { type: MarkerType.Arrow, width: 16, height: 16 },
    style: {
      strokeWidth: look.isStrong ? 1.75 : 1.25,
      ...(look.isStrong ? { stroke: 'var(--text-2)' } : {}),
      ...(look.isDashed ? { strokeDasharray: '4 4' } : {}),
    },
    labelStyle: { fill: 'var(--text-2)', fontSize: '0.75rem' },
    labelBgStyle: { fill: 'var(--bg)' },
    // Screen readers learn from each step what it waits for.
    ariaLabel: undefined,
    domAttributes: { 'aria-hidden': true },
  }
}
