import { useReactFlow } from '@xyflow/react'
import type { FitViewOptions } from '@xyflow/react'
import { Maximize, Minus, Plus } from 'lucide-react'
import { IconButton } from '../../../ui/icon-button.tsx'

/** The whole graph, clear of the buttons below it. */
export const wholeGraph: FitViewOptions = {
  padding: { x: '16px', top: '16px', bottom: '52px' },
  maxZoom: 1,
}

const className = 'border border-line-strong bg-raised'

/** The same as the wheel and dragging, for who has neither. */
export function GraphControls() {
  const flow = useReactFlow()
  return (
    <div className="absolute bottom-3 left-3 flex gap-1.5">
      <IconButton
        label="Zoom in"
        size="small"
        icon={<Plus size={14} aria-hidden />}
        onClick={() => void flow.zoomIn()}
        className={className}
      />
      <IconButton
        label="Zoom out"
        size="small"
        icon={<Minus size={14} aria-hidden />}
        onClick={() => void flow.zoomOut()}
        className={className}
      />
      <IconButton
        label="Show the whole graph"
        size="small"
        icon={<Maximize size={14} aria-hidden />}
        onClick={() => void flow.fitView(wholeGraph)}
        className={className}
      />
    </div>
  )
}
