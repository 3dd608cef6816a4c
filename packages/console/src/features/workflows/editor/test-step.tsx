import type { StepTypeInfo } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import type { StepTest } from '../../../data/workflow-authoring.ts'
import { useChange } from '../../../data/use-change.ts'
import { FreeField } from '../schema-form/free-field.tsx'
import { defaultsOf } from '../schema-form/field-schema.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { formatDuration } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Select } from '../../../ui/select.tsx'
import { StatusMark } from '../../../ui/status-mark.tsx'
import type { DraftStep } from '../definition/draft.ts'
import { isRecord } from '../definition/draft.ts'
import type { KnownValues } from './suggestions.ts'
import type { Editor } from './use-editor.ts'

export interface TestStepProps {
  editor: Editor
  step: DraftStep
  info: StepTypeInfo | undefined
  /** Values of the last run, where there is one. */
  known: KnownValues | undefined
}

/** Tries one step with values of the last run or with samples: as a dry run, or for real after a question. */
export function TestStep({ editor, step, info, known }: TestStepProps) {
  const [source, setSource] = useState<'run' | 'sample'>('run')
  const [input, setInput] = useState<unknown>()
  const [outputs, setOutputs] = useState<unknown>()
  const [isAsking, setAsking] = useState(false)
  const test = useChange('workflows.testStep')
  const role = useRole()
  const stale = useStaleReason()
  const isOfRun = known !== undefined && source === 'run'
  const sampleInput = isRecord(input) ? input : defaultsOf(editor.draft.root['input_schema'])
  const isRealOnly = info?.test === 'real_only'
  const reason =
    deniedReason(role, 'workflows.update') ??
    stale ??
    (editor.unreadable ? 'The YAML cannot be read.' : undefined) ??
    (info ? undefined : 'The type of the step is not known.')
  const run = (isReal: boolean) =>
    test.mutate({
      body: {
        step: { ...step.raw },
        input: isOfRun && isRecord(known.inputs) ? known.inputs : sampleInput,
        outputs: isOfRun ? outputsOf(known.steps) : isRecord(outputs) ? outputs : {},
        isReal,
      },
    })
  return (
    <div className="flex max-h-[45%] shrink-0 flex-col gap-2.5 overflow-y-auto border-t border-line px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          data-test-step=""
          icon={<FlaskConical size={14} aria-hidden />}
          busy={test.isPending}
          disabledReason={reason}
          onClick={() => (isRealOnly ? setAsking(true) : run(false))}
        >
          {isRealOnly ? 'Run this step for real' : 'Test this step'}
        </Button>
        {known ? (
          <Select
            aria-label="Values to test with"
            value={source}
            options={[
              { value: 'run', label: 'with values of the last run' },
              { value: 'sample', label: 'with sample values' },
            ]}
            onChange={({ target }) => setSource(target.value === 'run' ? 'run' : 'sample')}
          />
        ) : null}
        <span className="text-small text-text-2">{isRealOnly ? 'acts outside' : 'changes nothing'}</span>
      </div>
      {test.error ? <p className="text-danger">The step was not tested: {causeOf(test.error)}</p> : null}
      {test.data ? <Result result={test.data} /> : null}
      {isOfRun ? null : (
        <details>
          <summary className="min-h-6 text-small text-text-2">Sample values</summary>
          <div className="mt-2 flex flex-col gap-3">
            <FreeField label="Input" value={sampleInput} onChange={setInput} />
            <FreeField
              label="Outputs of earlier steps by key"
              required={false}
              value={outputs}
              onChange={setOutputs}
            />
          </div>
        </details>
      )}
      {info?.test === 'dry_run' && test.data?.isDryRun ? (
        <button
          type="button"
          onClick={() => setAsking(true)}
          className="min-h-6 self-start text-small underline underline-offset-4"
        >
          Run this step for real
        </button>
      ) : null}
      {isAsking ? (
        <ConfirmDialog
          open
          onOpenChange={setAsking}
          title="Run this step for real?"
          name={step.name || step.key}
          impactTitle="It is no dry run:"
          impact={[
            `${info?.label ?? step.type} acts outside as it would in a run`,
            'No run records it, and nothing is undone afterwards',
          ]}
          action="Run this step for real"
          onConfirm={() => {
            setAsking(false)
            run(true)
          }}
        />
      ) : null}
    </div>
  )
}

const words = {
  succeeded: { dry: 'Would succeed.', real: 'Succeeded.' },
  failed: { dry: 'Would fail.', real: 'Failed.' },
  timed_out: { dry: 'Would time out.', real: 'Timed out.' },
  skipped: { dry: 'Would be skipped.', real: 'Skipped.' },
} as const

function Result({ result }: { result: StepTest }) {
  const { status, isDryRun, output, error, logs, durationMs } = result
  const isGood = status === 'succeeded' || status === 'skipped'
  const text = output === undefined || output === null ? '' : JSON.stringify(output, null, 2)
  return (
    <div aria-live="polite" className="flex flex-col gap-2">
      <p className="flex items-center gap-2">
        <span className={isGood ? 'text-text-2' : 'text-danger'}>
          <StatusMark glyph={isGood ? 'check' : 'triangle'} />
        </span>
        <strong className="font-medium">{words[status][isDryRun ? 'dry' : 'real']}</strong>
        <span className="text-text-2">{formatDuration(durationMs)}</span>
      </p>
      {error ? <p className="text-danger">{error.message}</p> : null}
      {text ? <CodeBlock label="Output of the step" text={text} maxHeight="12rem" /> : null}
      {logs.length > 0 ? (
        <CodeBlock
          label="Log of the step"
          maxHeight="12rem"
          text={logs.map(({ level, message }) => `${level} ${message}`).join('\n')}
        />
      ) : null}
    </div>
  )
}

function outputsOf(steps: unknown): Record<string, unknown> {
  if (!isRecord(steps)) return {}
  return Object.fromEntries(
    Object.entries(steps).flatMap(([key, value]) =>
      isRecord(value) && value['output'] !== undefined ? [[key, value['output']]] : [],
    ),
  )
}
