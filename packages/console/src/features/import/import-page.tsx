import { deniedReason } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ReadKubeconfig } from '../../data/import.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChange } from '../../data/use-change.ts'
import { clusterHref } from '../../entities/clusters/cluster-text.ts'
import { causeOf, fieldErrorsOf } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { useListedKeys } from '../../ui/shown-keys.ts'
import { ContextList } from './context-list.tsx'
import { ImportBar } from './import-bar.tsx'
import type { Entry } from './import-state.ts'
import { isTesting, summary, titleError, toImport } from './import-state.ts'
import { KubeconfigSource, type Source, TakenSource } from './kubeconfig-source.tsx'
import { useContextTests } from './use-context-tests.ts'

const submitKey = [{ keys: ['Mod+Enter'], does: 'Import' }]

/** Where clusters that exist already are connected: a kubeconfig, its contexts with their tests, and what to import. */
export function ImportPage() {
  const denied = deniedReason(useRole(), 'clusters.create')
  const [taken, setTaken] = useState<{ source: Source; read: ReadKubeconfig }>()
  const read = useChange('kubeconfig.read')
  const tests = useContextTests()
  const take = (source: Source) =>
    read.mutate(
      { body: { kubeconfig: source.text } },
      {
        onSuccess: (found) => {
          setTaken({ source, read: found })
          void tests.start(source.text, found.contexts)
        },
      },
    )
  const clear = () => {
    setTaken(undefined)
    read.reset()
    tests.clear()
  }
  const error = read.error ? causeOf(read.error) : undefined
  return (
    <>
      <PageHeader
        title="Import clusters"
        description="Connect clusters that already exist. Bey changes nothing in them, and disconnecting leaves them as they are."
      />
      {denied ? (
        <div className="px-(--gutter) pt-4">
          <Notice tone="warn" title="You can view clusters, but not import them">
            {denied}
          </Notice>
        </div>
      ) : taken ? (
        <Contexts taken={taken} tests={tests} error={error} onTake={take} onClear={clear} />
      ) : (
        <div className="px-(--gutter) py-6">
          <KubeconfigSource onTake={take} busy={read.isPending} error={error} />
        </div>
      )}
    </>
  )
}

interface ContextsProps {
  taken: { source: Source; read: ReadKubeconfig }
  tests: ReturnType<typeof useContextTests>
  /** Why another file was not taken. */
  error: string | undefined
  onTake: (source: Source) => void
  onClear: () => void
}

function Contexts({ taken: { source, read }, tests, error, onTake, onClear }: ContextsProps) {
  const { entries } = tests
  const submit = useImport(source, entries)
  const { lead, rest } = summary(entries)
  const isBusy = isTesting(entries)
  const testable = entries.filter(({ context }) => context.problems.length === 0)
  const unverified = entries.filter(
    ({ outcome }) => outcome.kind === 'tested' && outcome.test.state === 'unverified',
  )
  return (
    <>
      <div className="flex flex-col gap-4 px-(--gutter) pt-4 pb-8">
        <TakenSource source={source} facts={sourceFacts(read)} onTake={onTake} onClear={onClear} />
        {error ? (
          <Notice tone="danger" title="The other file was not taken">
            {error}
          </Notice>
        ) : null}
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p aria-live="polite">
            {isBusy ? (
              <span className="font-medium">Testing every connection…</span>
            ) : (
              <>
                <span className="font-medium">{lead}</span> <span className="text-text-2">{rest}</span>
              </>
            )}
          </p>
          {testable.length > 0 ? (
            <Button
              size="small"
              busy={isBusy}
              icon={<RotateCw size={14} aria-hidden />}
              onClick={() => void tests.again(source.text, testable)}
            >
              Test all again
            </Button>
          ) : null}
        </div>
        <ContextList
          entries={entries}
          errorOf={(entry) => submit.errorOf(entry) ?? titleError(entry, entries)}
          onChange={(change) => {
            submit.reset()
            tests.change(change)
          }}
          onTest={(entry) => void tests.again(source.text, [entry])}
        />
        <p className="text-small text-text-2">
          {unverified.length > 0
            ? `${unverified.map(({ context }) => context.context).join(', ')} ${unverified.length === 1 ? 'asks' : 'ask'} to skip certificate checks: you can import ${unverified.length === 1 ? 'it; it stays' : 'them; they stay'} marked as not verified. `
            : ''}
          {read.addresses}
        </p>
        {submit.error ? (
          <Notice tone="danger" title="Nothing was imported">
            {submit.error}
          </Notice>
        ) : null}
      </div>
      <ImportBar
        count={entries.filter(({ isChosen }) => isChosen).length}
        disabledReason={submit.disabledReason}
        busy={submit.isPending}
        onImport={submit.run}
      />
    </>
  )
}

function sourceFacts({ contexts, clusterCount, userCount }: ReadKubeconfig): string {
  return `${formatCount(contexts.length, 'context')}, ${formatCount(clusterCount, 'cluster')}, ${formatCount(userCount, 'user')}.`
}

/** Sends what is chosen, by the button or by Ctrl/⌘ Enter, and goes to where it can be followed. */
function useImport(source: Source, entries: readonly Entry[]) {
  const imports = useChange('kubeconfig.import')
  const navigate = useNavigate()
  const stale = useStaleReason()
  const chosen = entries.filter(({ isChosen }) => isChosen)
  const saved = useUnsaved(imports.isSuccess ? undefined : 'the kubeconfig that you have read')
  const fieldErrors = fieldErrorsOf(imports.error)
  const firstError = entries.map((entry) => titleError(entry, entries)).find((each) => each !== undefined)
  const disabledReason =
    stale ??
    (isTesting(entries) ? 'Wait until every connection is tested.' : undefined) ??
    (chosen.length === 0 ? 'Choose at least one context that passed its test.' : undefined) ??
    firstError
  const run = () => {
    if (disabledReason !== undefined || imports.isPending) return
    imports.mutate(
      { body: toImport(source.text, entries) },
      {
        onSuccess: ({ clusters }) => {
          saved()
          const [first] = clusters
          const href = clusters.length === 1 && first ? clusterHref(first.id) : '/kubernetes/clusters'
          void navigate({ href })
        },
      },
    )
  }
  useListedKeys('This form', submitKey)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  })
  return {
    run,
    disabledReason,
    isPending: imports.isPending,
    reset: () => (imports.isError ? imports.reset() : undefined),
    /** Where it belongs to no field. */
    error: imports.error && Object.keys(fieldErrors).length === 0 ? causeOf(imports.error) : undefined,
    errorOf(entry: Entry): string | undefined {
      const index = chosen.indexOf(entry)
      return index < 0
        ? undefined
        : (fieldErrors[`clusters.${index}.title`] ?? fieldErrors[`clusters.${index}.context`])
    },
  }
}
