import { cx } from './class-names.ts'
import { Ticks } from './node-map.tsx'
import type { NodeCellData } from './node-ticks.ts'
import { rowGeometry } from './node-ticks.ts'

/** A node as a drawing shows it: at work, on its way through the four stages of its start, or not there. */
export type DrawnNode =
  | { kind: 'working'; pods: NodeCellData['pods']; used: number; requested: number }
  | { kind: 'starting'; stages: number; pods: NodeCellData['pods'] }
  | { kind: 'absent' }

const { width, height, radius, bar } = rowGeometry
const none = { state: 'healthy', reason: null } as const
const noUse = { used: null, requested: null }

/** Nodes three in a row at twice the size of a table's, as a drawing without a meaning of its own: hidden from readers. */
export function NodePicture({ nodes }: { nodes: readonly DrawnNode[] }) {
  return (
    <div aria-hidden className="grid w-76 max-w-full grid-cols-3 gap-2 max-md:w-[calc(78vw+1rem)]">
      {nodes.map((node, index) => (
        <svg
          key={index}
          viewBox={`0 0 ${width} ${height}`}
          shapeRendering="crispEdges"
          className="block h-auto w-full overflow-visible"
        >
          <DrawnCell node={node} />
        </svg>
      ))}
    </div>
  )
}

function DrawnCell({ node }: { node: DrawnNode }) {
  const pods = node.kind === 'absent' ? [] : node.pods
  const isFailing = pods.some(({ state }) => state === 'failing')
  const isJoining = node.kind === 'starting' && node.stages > 0 && node.stages < 4
  return (
    <>
      <rect
        x="0.5"
        y="0.5"
        width={width - 1}
        height={height - 1}
        rx={radius}
        fill="none"
        shapeRendering="auto"
        strokeDasharray={
          node.kind === 'absent' || (node.kind === 'starting' && node.stages === 0) ? '2 1.5' : undefined
        }
        className={cx(isJoining ? 'stroke-info' : 'stroke-line-strong')}
      />
      {node.kind === 'absent' ? null : (
        <Ticks
          node={{ name: 'node', health: none, cpu: noUse, memory: noUse, podCount: 0, failingCount: 0, pods }}
          geometry={rowGeometry}
          isStale={false}
          isAway={false}
        />
      )}
      {node.kind === 'working' ? (
        <>
          <rect {...bar} className="fill-active" />
          <rect {...bar} width={Math.round(bar.width * node.requested)} className="fill-line-strong" />
          <rect {...bar} width={Math.round(bar.width * node.used)} className="fill-text-2" />
        </>
      ) : null}
      {node.kind === 'starting'
        ? [0, 1, 2, 3].map((stage) => (
            <rect
              key={stage}
              x={bar.x + stage * 11}
              y={bar.y}
              width="9"
              height={bar.height}
              className={
                stage < node.stages ? (node.stages === 4 ? 'fill-text-2' : 'fill-info') : 'fill-active'
              }
            />
          ))
        : null}
      {isFailing ? (
        <path
          d={`M${width - 6} -3.5 l5 9 h-10 z`}
          shapeRendering="auto"
          strokeWidth="1"
          className="fill-danger stroke-bg"
        />
      ) : null}
    </>
  )
}
