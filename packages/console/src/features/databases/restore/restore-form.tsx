import { deniedReason, tableText } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { databaseHref } from '../../../entities/databases/database-text.ts'
import { runHref } from '../../../lib/run-text.ts'
import { usePageCommands } from '../../../lib/page-commands.ts'
import { useSubmission } from '../../../lib/use-submission.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { momentText } from '../../../ui/time-text.ts'
import { nearestMoment, windowText } from '../backups/window-text.ts'
import { AffectedSection } from './affected-section.tsx'
import { relationOf } from './changed-tables.ts'
import { DiffersSection } from './differs-section.tsx'
import { HappensSection } from './happens-section.tsx'
import { LeftBehind } from './left-behind.tsx'
import { MomentSection } from './moment-section.tsx'
import { RestoreMessage } from './restore-message.tsx'
import { RestorePlaceholder } from './restore-placeholder.tsx'
import type { RestoreSource } from './restore-source.ts'
import { RestoreActions } from './restore-actions.tsx'
import { restoreRequest } from './restore-request.ts'
import { restoreSentence } from './restore-sentence.ts'
import { restoreSteps } from './restore-steps.ts'
import { tableOf, tableSuggestions } from './table-choice.ts'
import { useChosenRestore } from './use-chosen-restore.ts'
import { useRestoreFacts, type RestoreFacts } from './use-restore-facts.ts'
import { WhereSection } from './where-section.tsx'

/** The form of a restore, once what can be restored is known. */
export function RestoreForm({ source, title }: { source: RestoreSource; title: string }) {
  const { facts, failure } = useRestoreFacts(source)
  if (failure !== undefined)
    return (
      <RestoreMessage id={source.id} title={title}>
        <ErrorState {...failure} />
      </RestoreMessage>
    )
  if (facts === undefined) return <RestorePlaceholder title={title} />
  if (facts.window.ranges.length === 0)
    return (
      <RestoreMessage id={source.id} title={title}>
        <EmptyState
          title="No backup yet: this database could not be restored"
          description="A base backup makes its moment restorable, and every second after it while changes are archived."
          action={<ButtonLink href={databaseHref(source.id, 'backups')}>Open Backups</ButtonLink>}
          command={`bey databases backup ${source.name}`}
        />
      </RestoreMessage>
    )
  return <Form source={source} title={title} facts={facts} />
}

function Form({ source, title, facts }: { source: RestoreSource; title: string; facts: RestoreFacts }) {
  const { window, restores, statements, relations, marks, moments, policy, nowMs } = facts
  const chosen = useChosenRestore(facts)
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
  const request = restoreRequest({
    source,
    table: isTable ? { wanted, isReplacing } : undefined,
    draft,
    targetTime: isLatest || backup !== undefined ? undefined : new Date(atMs ?? nowMs).toISOString(),
    backupId: backup?.id,
  })
  const form = useSubmission({
    mutation: useChange('databases.restore'),
    invalid: request.invalid,
    input:
      isReachable && (!isReplacing || typed === wanted?.name) && request.body !== undefined
        ? { params: { id: source.id }, body: request.body }
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
  const { command } = request
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
          {source.live === undefined || place !== 'swap' || atMs === undefined ? null : (
            <LeftBehind databaseId={source.id} atMs={atMs} nowMs={nowMs} />
          )}
          {form.refusal === undefined ? null : (
            <Notice tone="danger" title="Nothing was restored">
              {form.refusal}
            </Notice>
          )}
          <RestoreActions
            place={place}
            source={source}
            moment={isLatest ? 'the latest' : moment}
            replaced={isReplacing ? wanted?.name : undefined}
            typed={typed}
            onTyped={setTyped}
            isBusy={form.isBusy}
            disabledReason={
              denied ??
              stale ??
              (atMs === undefined
                ? 'No moment can be restored yet.'
                : isReachable
                  ? undefined
                  : 'This moment cannot be restored.')
            }
          />
          <CodeBlock label="The same on the command line" text={command} />
        </div>
      </form>
    </>
  )
}
