import { useEffect } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Section } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import type { ConnectionWord } from '../../data/live.ts'
import { liveSocket } from '../../data/live-socket.ts'
import { ConnectionFacts } from './connection-facts.tsx'
import { FailureHints, LikelyFailure } from './failure-hints.tsx'
import { MessageLog } from './message-log.tsx'
import { RawTraffic } from './raw-traffic.tsx'
import { useConnectionWord, useLiveMessages, useLiveState } from '../../data/use-live-state.ts'

const sentences: Record<ConnectionWord, string> = {
  live: 'Connected: what you see follows the server as it changes.',
  connecting: 'The connection is being made.',
  reconnecting: 'The connection was lost and is tried again. What you see may be old.',
  disconnected: 'Nothing is being tried. What you see may be old until you reconnect.',
}

/** The live connection in every detail, with the way to end it and to make it anew. */
export default function LiveStatusDialog({ onClose }: { onClose: () => void }) {
  const state = useLiveState()
  const messages = useLiveMessages()
  const { connection_status: status } = state
  const word = useConnectionWord()
  const isDown = word !== 'live'
  useEffect(() => {
    // A ping time is shown from the start instead of after the first half minute.
    if (status === 'connected') liveSocket.ping().catch(() => undefined)
  }, [status])
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="WebSocket Connection Status"
      description={
        <span data-current="" className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Status status={word} variant="badge" />
          {sentences[word]}
        </span>
      }
      size="wide"
      footer={
        <>
          <Button
            className="mr-auto"
            disabledReason={status === 'disconnected' ? 'There is no connection to end.' : undefined}
            onClick={() => liveSocket.disconnect()}
          >
            Disconnect
          </Button>
          <Button variant={isDown ? 'primary' : 'secondary'} onClick={() => liveSocket.reconnect()}>
            Reconnect
          </Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <div data-current="" className="flex flex-col gap-6 pb-2">
        {isDown ? <LikelyFailure state={state} /> : null}
        <Section title="Connection details">
          <ConnectionFacts state={state} />
          <FailureHints />
        </Section>
        <Section title="Raw traffic" aside="newest 50">
          <RawTraffic messages={messages} />
        </Section>
        <Section title="Message log" aside="newest 100">
          <MessageLog messages={messages} />
        </Section>
      </div>
    </Dialog>
  )
}
