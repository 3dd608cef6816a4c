import { useNavigate } from '@tanstack/react-router'
import { ArrowLeft, Plug } from 'lucide-react'
import { useState } from 'react'
import type { ApiOperation } from '../../data/api-reference.ts'
import { useApiReference } from '../../data/api-reference.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { endpointHref, useApiLocation } from './api-location.ts'
import { exampleBody } from './call-form.tsx'
import type { CallInput } from './call.ts'
import { EndpointList } from './endpoint-list.tsx'
import { EndpointPanel } from './endpoint-panel.tsx'
import type { PastCall } from './history.tsx'
import { History } from './history.tsx'
import { useSender } from './use-sender.ts'

/** Calls any endpoint of this server, as who is logged in. */
export function TestApiPage() {
  const reference = useApiReference()
  const operations = reference.data
  const failure = failureOf('Failed to load the API', reference)
  const apiLocation = useApiLocation()
  const navigate = useNavigate()
  const chosen = operations?.find((each) => each.operationId === apiLocation.endpoint)
  const [inputs, setInputs] = useState<Readonly<Record<string, CallInput>>>({})
  const [shown, setShown] = useState<PastCall>()
  const sender = useSender(setShown)

  const choose = (past: PastCall) => {
    setInputs({ ...inputs, [past.operationId]: past.input })
    setShown(past)
    void navigate({ href: endpointHref(past.operationId, apiLocation.filter) })
  }
  return (
    <>
      <PageHeader
        title="Test API"
        description="Every endpoint of this server. Calls are real: they act as you, in your organization."
        actions={<ButtonLink href="/api/docs">API reference</ButtonLink>}
      />
      {failure ? (
        <ErrorState {...failure} />
      ) : (
        <div className="grid gap-6 px-(--gutter) py-5 lg:grid-cols-[17rem_minmax(0,1fr)]">
          <div className={cx(chosen && 'hidden lg:block')}>
            {operations ? (
              <EndpointList operations={operations} apiLocation={apiLocation} />
            ) : (
              <DelayedSkeleton>
                {Array.from({ length: 12 }, (_, index) => (
                  <Skeleton key={index} className="my-3" />
                ))}
              </DelayedSkeleton>
            )}
          </div>
          <div className={cx('min-w-0', !chosen && 'hidden lg:block')}>
            {chosen ? (
              <div className="flex flex-col gap-6">
                <div className="lg:hidden">
                  <ButtonLink
                    href={endpointHref(undefined, apiLocation.filter)}
                    size="small"
                    icon={<ArrowLeft size={14} aria-hidden />}
                  >
                    All endpoints
                  </ButtonLink>
                </div>
                <EndpointPanel
                  key={chosen.operationId}
                  operation={chosen}
                  input={inputs[chosen.operationId] ?? firstInput(chosen)}
                  onInput={(input) => setInputs({ ...inputs, [chosen.operationId]: input })}
                  sender={sender}
                  shown={shown?.operationId === chosen.operationId ? shown : undefined}
                />
                <History calls={sender.history} onChoose={choose} />
              </div>
            ) : operations ? (
              <EmptyState
                icon={<Plug size={24} strokeWidth={1.5} aria-hidden />}
                title={
                  apiLocation.endpoint
                    ? `There is no endpoint "${apiLocation.endpoint}"`
                    : 'Choose an endpoint'
                }
                description="Its parameters and body come from the server's own description; what it answers is shown with status, time, headers and request id."
              />
            ) : null}
          </div>
        </div>
      )}
    </>
  )
}

function firstInput(operation: ApiOperation): CallInput {
  return { values: {}, body: exampleBody(operation) }
}
