import type { ObjectDetail, ResourceInfo } from '@bey/contract'
import type { EditorView } from '@codemirror/view'
import { useEffect, useRef, useState } from 'react'
import { replaceText } from '../../../ui/code-editor/replace-text.ts'
import { toast } from '../../../ui/toast.ts'
import { mergeMarks, placeMarks, setMergeMarks, unanswered } from './conflict-marks.ts'
import { lineOwnerText, pathAtLine, pathTitle } from './describe-lines.ts'
import { showServerProblems } from './manifest-lint.ts'
import { parseManifest } from './manifest-documents.ts'
import type { ManifestDocument } from './manifest-documents.ts'
import { mergeTexts, nextBase } from './merge-texts.ts'
import { changesBetween, mergePatch } from './object-changes.ts'
import type { FieldChange } from './object-changes.ts'
import { patchObject } from './object-requests.ts'
import { objectText, withHiddenValues, withStatusOf } from './object-text.ts'
import { refusalOf } from './refusal.ts'
import type { Refusal } from './refusal.ts'
import { isFree } from './text-problem.ts'
import type { Free } from './text-problem.ts'

/** What the cluster would make of the text, asked with a dry run. */
export interface Review {
  text: string
  live: Free
  /** As the server would store it. Of a Secret, what was sent: its values never come back. */
  after: Free
  changes: FieldChange[]
  patch: Free
  tookMs: number
  at: Date
}

export interface ObjectEditSubject {
  clusterId: number
  resource: ResourceInfo
  namespace: string
  name: string
  object: Free
  /** Reads the object again; undefined where it cannot be read. */
  readLatest: () => Promise<ObjectDetail | undefined>
}

/** How often an apply is repeated by itself when nothing but the version of the object has changed. */
const maxRepeats = 4

/** Editing one object: its text, what the others did meanwhile, the review by a dry run, and the act itself. */
export function useObjectEdit(subject: ObjectEditSubject, view: EditorView | null) {
  const { object } = subject
  const [base, setBase] = useState(() => withHiddenValues(object))
  const [text, setText] = useState(() => objectText(base))
  const [review, setReview] = useState<Review>()
  const [refusal, setRefusal] = useState<Refusal>()
  const [merged, setMerged] = useState<FieldChange[]>([])
  const [openConflicts, setOpenConflicts] = useState(0)
  const [isBusy, setBusy] = useState(false)
  const isDirty = text !== objectText(base)
  const live = useRef(object)
  useEffect(() => {
    live.current = object
  })

  function change(next: string) {
    setText(next)
    setReview(undefined)
    setRefusal(undefined)
  }

  /** Starts again from what is live. */
  function reset(from: Free = live.current) {
    const next = withHiddenValues(from)
    const fresh = objectText(next)
    setBase(next)
    setMerged([])
    setText(fresh)
    setReview(undefined)
    setRefusal(undefined)
    if (!view) return
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: fresh },
      effects: setMergeMarks.of({ conflicts: [], theirs: [] }),
    })
  }

  /** Merges what is live now into the text; answers the base of the merged text, or undefined while it conflicts. */
  function merge(now: Free, mine: string): { base: Free; text: string } | undefined {
    const next = withStatusOf(withHiddenValues(now), base)
    if (!view || changesBetween(base, next).length === 0) {
      const isOpen = view !== null && unanswered(view.state).length > 0
      return isOpen ? undefined : { base, text: mine }
    }
    const before = nextBase(objectText(base), unanswered(view.state))
    const result = mergeTexts(before, mine, objectText(next))
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: result.text } })
    const parsed = parseManifest(result.text).documents[0]?.object ?? next
    const marks = placeMarks(view.state, result, {
      conflict: (_, at) => ({
        title: pathTitle(parsed, pathAtLine(result.text, at)),
        by: lineOwnerText(now, result.text, at),
      }),
      merged: (at) => `live: ${lineOwnerText(now, result.text, at)}`,
    })
    const [first] = marks.conflicts
    view.dispatch({
      effects: setMergeMarks.of(marks),
      ...(first && { selection: { anchor: first.from }, scrollIntoView: true }),
    })
    if (first) view.focus()
    setBase(next)
    setMerged(changesBetween(base, next))
    setText(result.text)
    setReview(undefined)
    return result.conflicts.length > 0 ? undefined : { base: next, text: result.text }
  }

  async function reviewed(): Promise<Review | undefined> {
    setRefusal(undefined)
    const latest = await subject.readLatest()
    const now = latest?.object ?? live.current
    const start = merge(now, view?.state.doc.toString() ?? text)
    if (!start) return undefined
    const document = onlyDocument(start.text, start.base)
    if ('message' in document) return refuse(topRefusal(document.message))
    const patch = mergePatch(start.base, document.object)
    if (!patch) return refuse(topRefusal('Nothing is changed, so there is nothing to apply.'))
    const startedAt = performance.now()
    try {
      const answer = await patchObject(subject, { patch, resourceVersion: versionOf(now), isDryRun: true })
      const after = withHiddenValues(answer['kind'] === 'PartialObjectMetadata' ? document.object : answer)
      const found: Review = {
        text: start.text,
        live: withHiddenValues(now),
        after,
        changes: changesBetween(withHiddenValues(now), after),
        patch,
        tookMs: Math.round(performance.now() - startedAt),
        at: new Date(),
      }
      setReview(found)
      return found
    } catch (error) {
      return refuse(refusalOf(error, document))
    }
  }

  function refuse(next: Refusal): undefined {
    setReview(undefined)
    setRefusal(next)
    if (view) showServerProblems(view, next.problems)
    return undefined
  }

  async function applied(): Promise<boolean> {
    let current = review
    for (let attempt = 0; current && attempt < maxRepeats; attempt += 1) {
      try {
        await patchObject(subject, {
          patch: current.patch,
          resourceVersion: versionOf(current.live),
          isDryRun: false,
        })
        const latest = await subject.readLatest()
        toast('success', `Applied to ${subject.name}`)
        if (latest) reset(latest.object)
        return true
      } catch (error) {
        const document = parseManifest(current.text).documents[0]
        const found = document ? refusalOf(error, document) : topRefusal('This text cannot be read.')
        if (!found.isOutdated) return refuse(found) ?? false
        const before: Review = current
        current = await reviewed()
        // What was agreed to is repeated by itself only while it is still the same.
        if (current && JSON.stringify(current.patch) !== JSON.stringify(before.patch)) return false
        if (current && current.text !== before.text) return false
      }
    }
    return false
  }

  async function busy<T>(act: () => Promise<T>): Promise<T> {
    setBusy(true)
    try {
      return await act()
    } finally {
      setBusy(false)
    }
  }

  const isBehind = isDirty && changesBetween(base, withHiddenValues(object)).length > 0
  const [known, setKnown] = useState(object)
  if (known !== object && !isDirty && !isBusy) {
    // The text follows the cluster for as long as nobody types.
    const next = withHiddenValues(object)
    setKnown(object)
    setBase(next)
    setText(objectText(next))
  }
  useEffect(() => {
    if (view && view.state.doc.toString() !== text) replaceText(view, text)
  }, [view, text])

  return {
    base,
    text,
    isDirty,
    isBehind,
    isBusy,
    review,
    refusal,
    merged,
    openConflicts,
    change,
    reset: () => reset(),
    mergeNow: () => void merge(live.current, view?.state.doc.toString() ?? text),
    runReview: () => busy(reviewed),
    apply: () => busy(applied),
    syncConflicts: () => setOpenConflicts(view ? unanswered(view.state).length : 0),
    answeredConflicts: () =>
      (view?.state.field(mergeMarks, false)?.conflicts ?? []).filter((each) => each.answer),
  }
}

function onlyDocument(text: string, base: Free): ManifestDocument | { message: string } {
  const { documents, problems } = parseManifest(text)
  const [problem] = problems
  if (problem)
    return { message: `Line ${text.slice(0, problem.from).split('\n').length}: ${problem.message}` }
  const [document, second] = documents
  if (!document) return { message: 'The text is empty. To delete the object, use Delete in its menu.' }
  if (second) return { message: 'This page changes one object. Apply several documents from Create.' }
  const metadata = isFree(base['metadata']) ? base['metadata'] : {}
  const isSame =
    document.kind === base['kind'] &&
    document.name === metadata['name'] &&
    document.namespace === (metadata['namespace'] ?? '')
  if (!isSame) {
    return {
      message:
        'Kind, name and namespace of an object cannot change. Create a new object, then delete this one.',
    }
  }
  return document
}

function topRefusal(message: string): Refusal {
  return { message, problems: [], isOutdated: false, managerConflicts: [] }
}

function versionOf(object: Free): string {
  const metadata = isFree(object['metadata']) ? object['metadata'] : {}
  return typeof metadata['resourceVersion'] === 'string' ? metadata['resourceVersion'] : ''
}
