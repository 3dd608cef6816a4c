import { SquareDashedMousePointer, X } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { KeyHint } from '../../ui/key-hint.tsx'

export interface BannerProps {
  /** An area is being marked by its two corners. */
  marking: 'off' | 'first' | 'second'
  onMark: () => void
  onLeave: () => void
}

const markingTexts = {
  off: 'Left-click to select • Right-click for component tree • Drag to select area',
  first: 'Select the first corner of the area',
  second: 'Select the opposite corner of the area',
}

/** Says what the pointer and the keys do, and offers what would else need a drag or Escape. */
export function Banner({ marking, onMark, onLeave }: BannerProps) {
  return (
    <div className="pointer-events-auto fixed bottom-12 left-1/2 flex w-max max-w-[calc(100vw-1rem)] -translate-x-1/2 cursor-default flex-wrap items-center justify-center gap-x-4 gap-y-2 rounded-card border border-line-strong bg-overlay py-2 pr-2 pl-4 shadow-float">
      <div className="min-w-0 flex-1 basis-64">
        <output className="block font-medium">{markingTexts[marking]}</output>
        <p className="mt-0.5 hidden items-center gap-1.5 text-small text-text-2 sm:flex">
          <KeyHint keys={['↑', '↓', '←', '→']} /> walk the components
          <KeyHint keys={['Enter']} /> selects
          <KeyHint keys={['Esc']} /> leaves
        </p>
      </div>
      <div className="flex gap-2">
        <Button
          size="small"
          icon={<SquareDashedMousePointer size={14} aria-hidden />}
          aria-pressed={marking !== 'off'}
          onClick={onMark}
        >
          {marking === 'off' ? 'Select area' : 'Cancel area'}
        </Button>
        <Button size="small" icon={<X size={14} aria-hidden />} onClick={onLeave}>
          Stop annotating
        </Button>
      </div>
    </div>
  )
}
