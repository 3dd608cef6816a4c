import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Section } from '../../ui/section.tsx'
import { DebuggerConnection } from './debugger-connection.tsx'
import { DebuggerEngine, DebuggerExecutors, DebuggerWorkers } from './debugger-engine.tsx'
import { DebuggerWorkflows } from './debugger-workflows.tsx'
import { RealtimeList } from './realtime-list.tsx'
import { SubscriptionList } from './subscription-list.tsx'
import type { RealtimeMessages } from './use-realtime-messages.ts'

export interface EngineDebuggerProps {
  realtime: RealtimeMessages
  onClose: () => void
}

/** The workflow engine from every side: the way to it, its figures, its runs, what it says as it works. */
export default function EngineDebugger({ realtime, onClose }: EngineDebuggerProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Workflow Engine Debugger"
      description="The state of this organization's workflow engine, and whether this page receives its events."
      size="wide"
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <div className="flex flex-col gap-6 pb-2">
        <DebuggerConnection />
        <DebuggerEngine />
        <Section title="WebSocket Subscriptions">
          <SubscriptionList />
        </Section>
        <Section
          title="Recent Workflow Messages"
          aside={
            <Button
              size="small"
              disabledReason={realtime.messages.length === 0 ? 'There is no message to clear.' : undefined}
              onClick={realtime.clear}
            >
              Clear Messages
            </Button>
          }
        >
          <RealtimeList messages={realtime.messages} isBounded />
        </Section>
        <DebuggerWorkers />
        <DebuggerExecutors />
        <DebuggerWorkflows />
      </div>
    </Dialog>
  )
}
