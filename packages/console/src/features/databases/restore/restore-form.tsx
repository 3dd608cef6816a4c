import { databaseNameRule, deniedReason, isValidDatabaseName, tableText } from '@bey/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { databaseHref } from '../../../entities/databases/database-text.ts'
import { useChangeSearch } from '../../../lib/change-search.ts'
import { runHref } from '../../../lib/run-text.ts'
import { usePageCommands } from '../../../lib/page-commands.ts'
import { type FieldErrors, useSubmission } from '../../../lib/use-submission.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { momentText } from '../../../ui/time-text.ts'
import { nearestMoment, windowText } from '../backups/window-text.ts'
import { AffectedSection } from './affected-section.tsx'
import { relationOf } from './changed-tables.ts'
import { DiffersSection } from './differs-section.tsx'
import { HappensSection } from './happens-section.tsx'
import { MomentSection } from './moment-section.tsx'
import { restoreCommand } from './restore-command.ts'
import { RestorePlaceholder } from './restore-placeholder.tsx'
import type { RestoreSource } from './restore-source.ts'
import { type RestorePlace, restorePlaces } from './restore-place.ts'
import { restoreSentence } from './restore-sentence.ts'
import { restoreSteps } from './restore-steps.ts'
import { removedTable, type TableInto, tableOf, tableSuggestions } from './table-choice.ts'
import { useRestoreFacts, type RestoreFacts } from './use-restore-facts.ts'
import { WhereSection } from './where-section.tsx'

/** The form of a restore, once what can be restored is known. */
export function RestoreForm({ source, title }: { source: RestoreSource; title: string }) {
  const { facts, failure } = useRestoreFacts(source)
  if (failure !== undefined)
    return (
      <>
        <PageHeader title={title} />
        <ErrorState {...failure} />
      </>
    )
  if (facts === undefined) return <RestorePlaceholder title={title} />
  return <Form source={source} title={title} facts={facts} />
}

function useChosen(facts: RestoreFacts) {
  const search: { at?: unknown; backup?: unknown; to?: unknown; table?: unknown; into?: unknown } = useSearch(
    {
      strict: false,
    },
  )
  const changeSearch = useChangeSearch()
  const backup = facts.backups.find(({ id }) => id === search.backup)
  const given = typeof search.at === 'string' ? Date.parse(search.at) : Number.NaN
  const atMs =
    backup?.consistentAt != null
      ? Date.parse(backup.consistentAt)
      : Number.isNaN(given)
        ? (facts.proposedMs ?? facts.latestMs)
        : given
  const place = restorePlaces.find((each) => each === search.to) ?? 'new'
  const into: TableInto = search.into === 'rows' ? 'rows' : 'table'
  return {
    atMs,
    /** Nobody chose a moment, and none is proposed: as late as possible. */
    isLatest: backup === undefined && Number.isNaN(given) && facts.proposedMs === undefined,
    backup,
    place,
    into,
    table: typeof search.table === 'string' ? search.table : removedTable(facts.statements),
    choose: ({ atMs: ms, backupId }: { atMs: number; backupId?: string | undefined }) =>
      changeSearch(
        backupId === undefined
          ? { at: new Date(ms).toISOString(), backup: undefined }
          : { at: undefined, backup: backupId },
      ),
    chooseTable: (table: string) => changeSearch({ table }),
    chooseInto: (to: TableInto) => changeSearch({ into: to === 'table' ? undefined : to }),
    choosePlace: (to: RestorePlace) => changeSearch({ to: to === 'new' ? undefined : to }),
  }
}

function Form({ source, title, facts }: { source: RestoreSource; title: string; facts: RestoreFacts }) {
  const { window, restores, statements, relations, marks, moments, policy, nowMs } = facts
  const chosen = useChosen(facts)
  const { atMs, isLatest, backup, place, into, table, choose } = chosen
  const [draft, setDraft] = useState({
    name: `${source.name}-restored`.slice(0, 63),
    plan: source.plan ?? 'small',
  })
  const navigate = useNavigate()
  const stale = useStaleReason()
  const denied = deniedReason(useRole(), 'databases.restore')
  const box = useRef<HTMLFormElement>(null)
  const isReachable = backup !== undefined || (atMs !== undefined && nearestMoment(window, atMs) === atMs)
  const [typed, setTyped] = useState('')
  const wanted = tableOf(table)
  const isTable = place === 'table'
  const isGone =
    relations !== undefined && wanted !== undefined && relationOf(relations, wanted) === undefined
  const isReplacing = isTable && into === 'rows' && !isGone
  const invalid: FieldErrors = isTable
    ? wanted === undefined
      ? { table: 'Name a table, with its schema before a dot unless that is public.' }
      : {}
    : isValidDatabaseName(draft.name.trim())
      ? {}
      : { name: databaseNameRule }
  const targetTime = isLatest || backup !== undefined ? undefined : new Date(atMs ?? nowMs).toISOString()
  const point = { ...(targetTime && { targetTime }), ...(backup && { backupId: backup.id }) }
  const what =
    isTable && wanted !== undefined
      ? {
          table: wanted.name,
          ...(wanted.schema !== 'public' && { schema: wanted.schema }),
          ...(isReplacing && { replace: true }),
        }
      : { name: draft.name.trim(), plan: draft.plan }
  const form = useSubmission({
    mutation: useChange('databases.restore'),
    invalid,
    input:
      isReachable && Object.keys(invalid).length === 0 && (!isReplacing || typed === wanted?.name)
        ? { params: { id: source.id }, body: { ...what, ...point } }
        : undefined,
    lost: undefined,
    fieldOfCode: { name_taken: 'name' },
    onSaved: ({ newDatabase, run }) => {
      if (newDatabase !== null) void navigate({ href: databaseHref(newDatabase.id) })
      else if (run !== null) void navigate({ href: runHref(run) })
    },
  })
  useEffect(() => {
    if (form.attempts > 0) box.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form.attempts])
  const command = restoreCommand({ ...source, isDeleted: source.live === undefined }, [
    ['at', targetTime],
    ['backup-id', backup?.id],
    ...(isTable
      ? ([
          ['table', wanted?.name],
          ['schema', wanted === undefined || wanted.schema === 'public' ? undefined : wanted.schema],
          ['replace', isReplacing ? '' : undefined],
        ] as const)
      : ([
          ['name', draft.name.trim()],
          ['plan', draft.plan === source.plan ? undefined : draft.plan],
        ] as const)),
  ])
  usePageCommands([{ title, tool: 'curl', text: command, bey: command }])
  const sentence = restoreSentence(statements, window, new Date(nowMs))
  const moment = atMs === undefined ? undefined : momentText(new Date(atMs))
  const { steps, totalMs } = restoreSteps({
    recovery: window.recovery,
    restores,
    base: backup ?? facts.baseOf(atMs),
    atMs: atMs ?? nowMs,
    isBackupItself: backup !== undefined,
    checks: policy.checks.length,
    place,
    name: source.name,
    table: wanted === undefined ? 'the table' : tableText(wanted),
    isReplacing,
  })
  return (
    <>
      <PageHeader
        title={title}
        description={
          sentence === undefined ? (
            windowText(window, new Date(nowMs))
          ) : (
            <>
              <span className="font-medium text-text">{sentence.what}</span>
              {sentence.rest}
            </>
          )
        }
      />
      <form
        ref={box}
        noValidate
        aria-label={title}
        onSubmit={(event) => {
          event.preventDefault()
          form.onSubmit()
        }}
        className="grid items-start gap-x-8 gap-y-8 px-(--gutter) py-4 lg:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[minmax(0,1fr)_24rem]"
      >
        <div className="flex min-w-0 flex-col gap-6">
          <MomentSection
            databaseId={source.id}
            window={window}
            moments={moments}
            statements={statements}
            marks={marks}
            nowMs={nowMs}
            atMs={atMs}
            backupId={backup?.id}
            onChoose={(moment) => {
              choose(moment)
              form.onChange()
            }}
          />
          {source.live === undefined ? null : (
            <DiffersSection statements={statements} relations={relations} atMs={atMs} place={place} />
          )}
          <WhereSection
            databaseName={source.name}
            isDeleted={source.live === undefined}
            place={place}
            onPlace={(to) => {
              chosen.choosePlace(to)
              form.onChange()
            }}
            table={{
              table,
              onTable: (typedTable) => {
                chosen.chooseTable(typedTable)
                form.onChange()
              },
              into,
              onInto: chosen.chooseInto,
              relations,
              suggestions: tableSuggestions(statements, relations),
              atMs: atMs ?? nowMs,
            }}
            draft={draft}
            onChange={(part) => {
              setDraft({ ...draft, ...part })
              form.onChange()
            }}
            errors={form.errors}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-6 max-lg:contents lg:sticky lg:top-4">
          <HappensSection steps={steps} totalMs={totalMs} measured={window.recovery.measured} place={place} />
          {source.live === undefined ? null : (
            <AffectedSection database={source.live} place={place} isReplacing={isReplacing} />
          )}
          {form.refusal === undefined ? null : (
            <Notice tone="danger" title="Nothing was restored">
              {form.refusal}
            </Notice>
          )}
          {isReplacing ? (
            <Field label={`Type ${wanted?.name ?? 'the name of the table'} to replace its rows`} required>
              {(control) => (
                <Input
                  {...control}
                  value={typed}
                  autoComplete="off"
                  autoCapitalize="off"
                  spellCheck={false}
                  onChange={({ target }) => setTyped(target.value)}
                />
              )}
            </Field>
          ) : null}
          <div className="flex gap-2 max-lg:sticky max-lg:bottom-0 max-lg:z-10 max-lg:-mx-(--gutter) max-lg:border-t max-lg:border-line max-lg:bg-bg max-lg:px-(--gutter) max-lg:py-3 lg:border-t lg:border-line lg:pt-4">
            <Button
              type="submit"
              variant={isReplacing ? 'danger' : 'primary'}
              className="flex-1"
              icon={<History size={14} aria-hidden />}
              busy={form.isBusy}
              disabledReason={
                denied ??
                stale ??
                (atMs === undefined
                  ? 'No moment can be restored yet.'
                  : !isReachable
                    ? 'This moment cannot be restored.'
                    : isReplacing && typed !== wanted?.name
                      ? 'Type the name of the table first.'
                      : undefined)
              }
            >
              {isTable
                ? `${isReplacing ? 'Replace rows with those of' : 'Restore the table to'} ${isLatest ? 'the latest' : (moment ?? '')}`
                : buttonText(place, source.name, isLatest ? 'the latest' : moment)}
            </Button>
            <ButtonLink href={source.live ? databaseHref(source.id, 'backups') : '/databases/backup-targets'}>
              Cancel
            </ButtonLink>
          </div>
          <CodeBlock label="The same on the command line" text={command} />
        </div>
      </form>
    </>
  )
}

function buttonText(place: RestorePlace, name: string, moment: string | undefined): string {
  const to = moment === undefined ? '' : ` to ${moment}`
  return place === 'swap' ? `Restore${to} beside ${name}` : `Restore${to}`
}
