import type { HostTest } from '@bey/contract'
import { cx } from '../../ui/class-names.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Status } from '../../ui/status.tsx'
import { momentText } from '../../ui/time-text.ts'

const stepNames = { dns: 'DNS', tcp: 'TCP', tls: 'TLS', http: 'First byte' } as const
const resultStatus = { passed: 'passed', warned: 'degraded', failed: 'failed' } as const

/** What came of a test: a sentence, and every step where it stood in time. */
export function HostTestResult({ result }: { result: HostTest }) {
  const { sentence, steps, durationMs, certificate, at } = result
  // The scale needs a length even where everything took less than a tenth of a millisecond.
  const total = Math.max(durationMs, 0.1)
  return (
    <div aria-live="polite" className="mt-4 flex flex-col gap-3">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Status status={resultStatus[result.result]} variant="badge" />
        <span className="font-medium">{sentence}</span>
        <span className="text-small text-text-3">
          <RelativeTime at={at} />, {msText(durationMs)}
        </span>
      </p>
      <ol aria-label="Steps" className="flex flex-col divide-y divide-line border-y border-line">
        {steps.map((step) => (
          <li
            key={`${step.step} ${step.subject}`}
            className="grid grid-cols-[5rem_minmax(0,1fr)_4.5rem] items-center gap-x-3 gap-y-0.5 py-1.5 @3xl:grid-cols-[5rem_14rem_minmax(0,1fr)_4.5rem]"
          >
            <span className="font-medium">{stepNames[step.step]}</span>
            <span className="truncate font-mono text-small text-text-2" title={step.subject}>
              {step.subject}
            </span>
            <span aria-hidden className="relative h-4 max-@3xl:order-last max-@3xl:col-span-3">
              <span
                className={cx(
                  'absolute inset-y-0.5 min-w-0.5 rounded-[2px]',
                  step.state === 'failed'
                    ? 'bg-danger'
                    : step.state === 'skipped'
                      ? 'bg-active'
                      : 'bg-control',
                )}
                style={{
                  left: `${Math.min(99, (100 * step.startMs) / total)}%`,
                  width: `${Math.min(100, (100 * step.durationMs) / total)}%`,
                }}
              />
            </span>
            <span className="text-right tabular-nums">
              {step.state === 'skipped' ? 'skipped' : msText(step.durationMs)}
            </span>
            <span
              className={cx(
                'col-span-full text-small break-words',
                step.state === 'failed' ? 'text-danger' : 'text-text-2',
              )}
            >
              {step.text}
            </span>
          </li>
        ))}
      </ol>
      {certificate ? (
        <p className="text-text-2">
          It shows the certificate of <span className="font-medium text-text">{certificate.subject}</span>,
          issued by {certificate.issuer}, until {momentText(certificate.expiresAt)}
          {certificate.isFromSecret === null
            ? '.'
            : certificate.isFromSecret
              ? ': the one of the Secret.'
              : ': not the one of the Secret.'}
        </p>
      ) : null}
    </div>
  )
}

/** "0.4 ms", "38 ms", "1.2 s". */
function msText(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`
}
