import { useEngineStatus } from '../../data/engine.ts'
import { BarButton } from './bar-parts.tsx'
import { engineFailureText, engineWord } from './engine-text.ts'
import { useSubscriptions } from './use-subscriptions.ts'

export interface EngineLineProps {
  messageCount: number
  onOpen: () => void
}

/** The workflow engine in a line of the bar, which opens its debugger. */
export function EngineLine({ messageCount, onOpen }: EngineLineProps) {
  const { data, isError } = useEngineStatus()
  const subscriptions = useSubscriptions()
  const word = engineWord(data, isError)
  const tone = word === 'running' ? 'text-ok' : word === 'loading' ? undefined : 'text-danger'
  return (
    <BarButton aria-haspopup="dialog" data-tooltip={isError ? engineFailureText : undefined} onClick={onOpen}>
      <span>
        WF Engine: <span className={tone}>{word}</span> | Active: {data?.statistics.activeWorkflows ?? '—'} |
        Subs: {subscriptions.length} | Msgs: {messageCount}
      </span>
    </BarButton>
  )
}
