import { Content, Description, Overlay, Portal, Root, Title } from 'radix-ui/dialog'
import { Button } from './button.tsx'

export interface DiscardQuestionProps {
  onKeep: () => void
  onDiscard: () => void
}

/** Asks, over a layer that is about to close, before what was typed in it is lost. */
export function DiscardQuestion({ onKeep, onDiscard }: DiscardQuestionProps) {
  return (
    <Root open onOpenChange={onKeep}>
      <Portal>
        <Overlay className="fixed inset-0 z-[60] bg-scrim" />
        <Content
          role="alertdialog"
          className="fixed top-[20vh] left-1/2 z-[60] w-[calc(100vw-2rem)] max-w-sm -translate-x-1/2 rounded-card border border-line bg-overlay shadow-float"
        >
          <div className="px-5 pt-4 pb-3">
            <Title className="text-dialog font-semibold">Discard what you typed?</Title>
            <Description className="mt-1 text-text-2">
              It is not saved and is lost if you close this.
            </Description>
          </div>
          <div className="flex justify-end gap-2 border-t border-line px-5 py-3">
            <Button variant="primary" onClick={onKeep}>
              Keep editing
            </Button>
            <Button onClick={onDiscard}>Discard</Button>
          </div>
        </Content>
      </Portal>
    </Root>
  )
}
