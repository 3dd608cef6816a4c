import { Content, Overlay, Portal, Root } from 'radix-ui/dialog'
import { useRef, useState } from 'react'
import type { CSSProperties, ReactNode } from 'react'
import { focusAfterPause } from './focus-after-pause.ts'
import { DiscardQuestion } from './discard-question.tsx'
import { useTypedText } from './typed-text.ts'

export interface LayerProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** It holds a `Description`. */
  isDescribed?: boolean
  /** Clicking outside does not close it. */
  staysOnPress?: boolean
  /** Escape does not close it. */
  staysOnEscape?: boolean
  className: string
  style?: CSSProperties
  /** Nobody asked for it: it takes the focus only once nobody types. */
  opensByItself?: boolean
  /** Must hold a `Title`. */
  children: ReactNode
}

/**
 * What lies over the page and dims it: the ground of dialogs, drawers and the slide-over sidebar. Escape, a press outside
 * and its cross ask first where text was typed that would be lost; a button such as Cancel closes at once.
 */
export function Layer(props: LayerProps) {
  const { open, onOpenChange, isDescribed = false, className, style, children } = props
  const focusReturn = useFocusReturn(props.opensByItself)
  const typed = useTypedText()
  const [isAsking, setAsking] = useState(false)
  // Closed by its opener: it opens again without the question.
  if (!open && isAsking) setAsking(false)
  const change = (next: boolean) => {
    if (!next && typed.isChanged()) setAsking(true)
    else onOpenChange(next)
  }
  return (
    <Root open={open} onOpenChange={change}>
      <Portal>
        <Overlay className="fixed inset-0 z-50 bg-scrim data-[state=open]:animate-fade-in" />
        <Content
          {...focusReturn}
          {...typed.handlers}
          {...(isDescribed ? {} : { 'aria-describedby': undefined })}
          onPointerDownOutside={props.staysOnPress ? prevent : undefined}
          onEscapeKeyDown={props.staysOnEscape ? prevent : undefined}
          className={className}
          style={style}
        >
          {children}
          {isAsking ? (
            <DiscardQuestion
              onKeep={() => setAsking(false)}
              onDiscard={() => {
                setAsking(false)
                onOpenChange(false)
              }}
            />
          ) : null}
        </Content>
      </Portal>
    </Root>
  )
}

const prevent = (event: Event) => event.preventDefault()

/**
 * Radix returns focus to its own Trigger only: layers opened by a command must remember where focus came from. What is
 * marked `data-initial-focus` takes the focus when the layer opens, else what comes first in it.
 */
export function useFocusReturn(opensByItself = false): {
  onOpenAutoFocus: (event: Event) => void
  onCloseAutoFocus: (event: Event) => void
} {
  const origin = useRef<HTMLElement | null>(null)
  const stopWaiting = useRef(() => {})
  return {
    onOpenAutoFocus: (event) => {
      origin.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
      const layer = event.target instanceof HTMLElement ? event.target : undefined
      const first = layer?.querySelector<HTMLElement>('[data-initial-focus]')
      if (layer && opensByItself) {
        event.preventDefault()
        stopWaiting.current = focusAfterPause(layer, () => (first ?? layer).focus())
        return
      }
      if (!first) return
      event.preventDefault()
      first.focus()
    },
    onCloseAutoFocus: (event) => {
      stopWaiting.current()
      event.preventDefault()
      const target = origin.current
      if (target?.isConnected && target !== document.body) target.focus()
      else document.querySelector<HTMLElement>('main')?.focus()
    },
  }
}
