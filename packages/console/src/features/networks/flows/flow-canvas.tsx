import type { FlowMap } from '@bey/contract'
import { Maximize, Minus, Plus } from 'lucide-react'
import { memo, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { cx } from '../../../ui/class-names.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { formatCount } from '../../../lib/format.ts'
import { drawingOf } from './draw-flows.ts'
import { curveNear, curvesOf } from './flow-curves.ts'
import { boxWidth, type FlowBox, headHeight, layoutFlows, rowHeight } from './flow-layout.ts'
import type { FlowSelection } from './flow-panel.tsx'
import { createFlowScene, type FlowScene } from './flow-scene.ts'

type Node = FlowMap['nodes'][number]

/** How near a press has to be to a way, in px before zooming. */
const reach = 7

/** Namespaces and workloads with the ways between them. Its table shows the same. */
export function FlowCanvas({
  map,
  selection,
  onSelect,
  onOpen,
}: {
  map: FlowMap
  selection: FlowSelection
  onSelect: (selection: FlowSelection) => void
  onOpen: (namespace: string) => void
}) {
  const { nodes, edges } = map
  const layout = useMemo(() => layoutFlows(nodes, edges), [nodes, edges])
  const curves = useMemo(() => curvesOf(layout, edges), [layout, edges])
  const drawing = useMemo(() => {
    const chosen = selection?.kind === 'edge' ? selection : undefined
    return drawingOf(curves, {
      selected: curves.find(({ edge }) => edge.from === chosen?.from && edge.to === chosen.to),
      isFaded: ({ edge }) =>
        selection?.kind === 'node' && edge.from !== selection.id && edge.to !== selection.id,
    })
  }, [curves, selection])
  const box = useRef<HTMLElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const scene = useRef<FlowScene>(undefined)
  const press = useEffectEvent(({ x, y }: { x: number; y: number }) => {
    const found = curveNear(curves, x, y, reach / Math.min(1, scene.current?.scale() ?? 1))
    onSelect(found ? { kind: 'edge', from: found.edge.from, to: found.edge.to } : undefined)
  })
  useEffect(() => {
    if (!box.current || !canvas.current || !layer.current) return
    const parts = { box: box.current, canvas: canvas.current, layer: layer.current }
    const made = createFlowScene(parts, (at) => press(at))
    scene.current = made
    return () => made.stop()
  }, [])
  useEffect(() => scene.current?.setDrawing(drawing), [drawing])
  // The view stays where it is while only what was observed changes.
  useEffect(() => scene.current?.setSize(layout.width, layout.height), [layout.width, layout.height])

  return (
    <div className="relative min-h-0 min-w-0 flex-1">
      <section
        ref={box}
        aria-label="Flow map. Arrow keys move it, plus and minus zoom, 0 shows all of it."
        // A map that is moved by keys must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="absolute inset-0 touch-none overflow-hidden -outline-offset-2 select-none"
      >
        <canvas ref={canvas} aria-hidden className="absolute inset-0 size-full origin-top-left" />
        <div ref={layer} className="absolute top-0 left-0 origin-top-left">
          {layout.boxes.map((each) => (
            <Box
              key={each.key}
              box={each}
              selectedId={selection?.kind === 'node' ? selection.id : undefined}
              onSelect={onSelect}
              onOpen={onOpen}
            />
          ))}
        </div>
      </section>
      <div className="absolute right-3 bottom-3 flex gap-1 rounded-control border border-line bg-overlay p-0.5">
        <IconButton
          size="small"
          label="Zoom out"
          icon={<Minus size={14} aria-hidden />}
          onClick={() => scene.current?.zoom(0.8)}
        />
        <IconButton
          size="small"
          label="Show all of it"
          icon={<Maximize size={14} aria-hidden />}
          onClick={() => scene.current?.fit()}
        />
        <IconButton
          size="small"
          label="Zoom in"
          icon={<Plus size={14} aria-hidden />}
          onClick={() => scene.current?.zoom(1.25)}
        />
      </div>
    </div>
  )
}

const Box = memo(function Box({
  box,
  selectedId,
  onSelect,
  onOpen,
}: {
  box: FlowBox
  selectedId: string | undefined
  onSelect: (selection: FlowSelection) => void
  onOpen: (namespace: string) => void
}) {
  const { title, isOpen, nodes, x, y, height } = box
  const [first] = nodes
  if (first === undefined) return null
  return (
    <div
      className="absolute rounded-card border border-line-strong bg-raised"
      style={{ left: x, top: y, width: boxWidth, height }}
    >
      {isOpen ? (
        <button
          type="button"
          aria-expanded
          className="flex w-full items-center px-3 text-left text-text-2 hover:text-text"
          style={{ height: headHeight - 1 }}
          title={`Close ${title}`}
          onClick={() => onOpen(title)}
        >
          <span className="truncate">{title}</span>
        </button>
      ) : (
        <div className="flex items-center" style={{ height: headHeight - 2 }}>
          <NodeButton node={first} isSelected={first.id === selectedId} onSelect={onSelect} />
          {first.kind === 'namespace' ? (
            <button
              type="button"
              aria-expanded={false}
              aria-label={`Show the workloads of ${title}`}
              title="Show its workloads"
              className="flex h-full w-7 shrink-0 items-center justify-center rounded-r-card text-text-3 hover:bg-hover hover:text-text"
              onClick={() => onOpen(title)}
            >
              <Plus size={12} aria-hidden />
            </button>
          ) : null}
        </div>
      )}
      {isOpen
        ? nodes.map((node) => (
            <div key={node.id} className="border-t border-line" style={{ height: rowHeight }}>
              <NodeButton node={node} isSelected={node.id === selectedId} onSelect={onSelect} />
            </div>
          ))
        : null}
    </div>
  )
})

function NodeButton({
  node,
  isSelected,
  onSelect,
}: {
  node: Node
  isSelected: boolean
  onSelect: (selection: FlowSelection) => void
}) {
  const { id, name, kind, pods } = node
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      className={cx(
        'flex h-full w-full min-w-0 items-center gap-2 rounded-card px-3 text-left hover:bg-hover',
        isSelected && 'bg-active',
      )}
      title={name}
      onClick={() => onSelect(isSelected ? undefined : { kind: 'node', id })}
    >
      <span className="min-w-0 flex-1 truncate font-medium">{kind === 'outside' ? 'Outside' : name}</span>
      {kind === 'outside' ? null : (
        <span className="text-meta text-text-3 tabular-nums" title={formatCount(pods, 'pod')}>
          {pods}
        </span>
      )}
    </button>
  )
}
