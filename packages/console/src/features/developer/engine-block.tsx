import { useEngineStatus } from '../../data/engine.ts'
import { engineErrorText, engineFailureText, engineWord, serverPort } from './engine-text.ts'
import { RealtimeList } from './realtime-list.tsx'
import { barMessages } from './realtime-messages.ts'
import { Block } from './settings-block.tsx'
import { SubscriptionList } from './subscription-list.tsx'
import type { RealtimeMessages } from './use-realtime-messages.ts'

/** The workflow engine within the settings: its state, what is followed, and the last messages. */
export function EngineBlock({ realtime }: { realtime: RealtimeMessages }) {
  const { data, error, isError } = useEngineStatus()
  const word = engineWord(data, isError)
  return (
    <>
      <Block title="Engine status">
        {isError ? (
          <>
            <p className="text-danger">{engineFailureText}</p>
            <p className="text-text-2">{engineErrorText(error, serverPort(location))}</p>
          </>
        ) : (
          <p>
            <span className={word === 'running' ? 'text-ok' : 'text-danger'}>{word}</span>
            {data
              ? ` · ${data.engine.currentActiveWorkflows} of ${data.engine.maxConcurrentWorkflows} active`
              : ''}
          </p>
        )}
      </Block>
      <Block title="WebSocket subscriptions">
        <SubscriptionList />
      </Block>
      <Block
        title={`Last ${barMessages} messages`}
        aside={
          <button
            type="button"
            onClick={realtime.clear}
            className="min-h-6 text-small text-accent-text hover:underline"
          >
            Clear
          </button>
        }
      >
        <RealtimeList messages={realtime.messages.slice(-barMessages)} />
      </Block>
    </>
  )
}
