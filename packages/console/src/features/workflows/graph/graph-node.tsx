import type { Node, NodeProps } from '@xyflow/react'
import { Handle, Position } from '@xyflow/react'
import { memo } from 'react'
import { cx } from '../../../ui/class-names.ts'
import type { Direction, NodeLook } from './graph-step.ts'

export type StepNode = Node<
  {
    look: NodeLook
    direction: Direction
    isSelected: boolean
    /** Whether edges can be drawn from and to it. */
    isConnectable: boolean
    onSelect: () => void
  },
  'step'
>

const tones: Record<NodeLook['tone'], { box: string; mark: string }> = {
  plain: { box: 'border-line-strong', mark: 'text-text-2' },
  quiet: { box: 'border-line', mark: 'text-text-3' },
  info: { box: 'border-info', mark: 'text-info' },
  warn: { box: 'border-warn', mark: 'text-warn' },
  danger: { box: 'border-danger', mark: 'text-danger' },
}

/** A step, or several of one type: what it is called, and under it what there is to know of it. */
export const GraphNodeBox = memo(function GraphNodeBox({ id, data }: NodeProps<StepNode>) {
  const { look, direction, isSelected, isConnectable, onSelect } = data
  const { tone, isDashed, progressPercent } = look
  const handle = isConnectable
    ? '!size-2.5 !min-w-0 !min-h-0 !border !border-control !bg-bg opacity-0 group-hover:opacity-100'
    : '!pointer-events-none !opacity-0'
  return (
    <div className="group size-full">
      <Handle
        type="target"
        position={direction === 'down' ? Position.Top : Position.Left}
        isConnectable={isConnectable}
        className={handle}
      />
      <button
        type="button"
        data-graph-node={id}
        data-live-color=""
        aria-pressed={isSelected}
        onClick={onSelect}
        className={cx(
          'nopan pointer-events-auto relative flex size-full items-center gap-2.5 overflow-hidden rounded-control border bg-raised px-2.5 text-left transition-colors duration-75',
          tones[tone].box,
          isDashed && 'border-dashed',
          isSelected && 'outline-2 outline-offset-1 outline-ring',
        )}
      >
        <span className={cx('shrink-0', tones[tone].mark)}>{look.icon}</span>
        <span className="min-w-0 flex-1">
          <span
            className={cx('block truncate leading-4 font-medium', tone === 'quiet' && 'text-text-2')}
            title={look.title}
          >
            {look.title}
          </span>
          <span
            className={cx(
              'block truncate text-small leading-4',
              tone === 'danger' || tone === 'warn' ? tones[tone].mark : 'text-text-3',
            )}
            title={look.detail}
          >
            {look.detail}
          </span>
        </span>
        {look.mark}
        {progressPercent === undefined ? null : (
          <span
            aria-hidden
            className="absolute bottom-0 left-0 h-0.5 bg-info"
            style={{ width: `${progressPercent}%` }}
          />
        )}
      </button>
      <Handle
        type="source"
        position={direction === 'down' ? Position.Bottom : Position.Right}
        isConnectable={isConnectable}
        className={handle}
      />
    </div>
  )
})
