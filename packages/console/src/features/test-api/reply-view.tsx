import { Download } from 'lucide-react'
import { downloadText } from '../../lib/download.ts'
import { formatBytes, formatDuration } from '../../lib/format.ts'
import type { RawReply } from '../../lib/raw-call.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock, Identifier } from '../../ui/code-block.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Section } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { headerOf, prettyText, problemIn } from './reply.ts'

const maxShownCharacters = 100_000

/** What came back: status, time, headers, request id and body; a problem in words first. */
export function ReplyView({ reply, name }: { reply: RawReply; name: string }) {
  const isSuccess = reply.status < 400
  const requestId = headerOf(reply, 'x-request-id')
  const problem = isSuccess ? undefined : problemIn(reply)
  const text = prettyText(reply)
  return (
    <Section title="Reply">
      <div className="flex flex-col gap-4">
        {problem ? <ErrorState isCompact title={problem.title} detail={problem.detail} /> : null}
        <Facts
          layout="columns"
          facts={[
            {
              label: 'Status',
              value: (
                <Status
                  status={isSuccess ? 'completed' : 'failed'}
                  label={`${reply.status} ${reply.statusText}`.trim()}
                />
              ),
            },
            { label: 'Duration', value: formatDuration(reply.durationMs) },
            { label: 'Size', value: formatBytes(new Blob([reply.text]).size) },
            {
              label: 'Request id',
              value: requestId ? <Identifier value={requestId} label="Copy request id" /> : '—',
            },
          ]}
        />
        {text === '' ? (
          <p className="text-text-2">The reply has no body.</p>
        ) : (
          <CodeBlock
            label="Body of the reply"
            text={text.length > maxShownCharacters ? `${text.slice(0, maxShownCharacters)}…` : text}
          />
        )}
        {text.length > maxShownCharacters ? (
          <p className="flex flex-wrap items-center gap-3 text-text-2">
            Only the first part is shown.
            <Button
              size="small"
              icon={<Download size={14} aria-hidden />}
              onClick={() => downloadText(`${name}.txt`, reply.text, 'text/plain')}
            >
              Download the whole
            </Button>
          </p>
        ) : null}
        <details>
          <summary className="w-fit text-small text-text-2">{reply.headers.length} headers</summary>
          <div className="mt-2">
            <CodeBlock
              label="Headers of the reply"
              text={reply.headers.map(([header, value]) => `${header}: ${value}`).join('\n')}
            />
          </div>
        </details>
      </div>
    </Section>
  )
}
