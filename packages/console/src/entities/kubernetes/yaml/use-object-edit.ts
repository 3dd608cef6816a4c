import type { ObjectDetail, ResourceInfo } from '@bey/contract'
import type { EditorView } from '@codemirror/view'
import { useEffect, useRef, useState } from 'react'
import { replaceText } from '../../../ui/code-editor/replace-text.ts'
import { toast } from '../../../ui/toast.ts'
import { mergeMarks, unanswered } from './conflict-marks.ts'
import { showServerProblems } from './manifest-lint.ts'
import { versionOf } from './edited-document.ts'
import { parseManifest } from './manifest-documents.ts'
import { mergeIntoEditor, startWith } from './merge-into-editor.ts'
import { changesBetween } from './object-changes.ts'
import type { FieldChange } from './object-changes.ts'
import { patchObject } from './object-requests.ts'
import { objectText, withHiddenValues } from './object-text.ts'
import { keepsChanging, refusalOf, topRefusal } from './refusal.ts'
import type { Refusal } from './refusal.ts'
import { requestReview } from './request-review.ts'
import { isSameQuestion } from './review.ts'
import type { Review } from './review.ts'
import type { Free } from './text-problem.ts'
import { useBusy } from './use-busy.ts'

export interface ObjectEditSubject {
  clusterId: number
  resource: ResourceInfo
  namespace: string
  name: string
  object: Free
  /** Reads the object again; undefined where it cannot be read. */
  readLatest: () => Promise<ObjectDetail | undefined>
}

/** How often a request is repeated by itself when nothing but the version of the object has changed. */
const maxRepeats = 6

/** Editing one object: its text, what the others did meanwhile, the review by a dry run, and the act itself. */
export function useObjectEdit(subject: ObjectEditSubject, view: EditorView | null) {
  const { object } = subject
  const [base, setBase] = useState(() => withHiddenValues(object))
  const [text, setText] = useState(() => objectText(base))
  const [review, setReview] = useState<Review>()
  const [refusal, setRefusal] = useState<Refusal>()
  const [merged, setMerged] = useState<FieldChange[]>([])
  const [openConflicts, setOpenConflicts] = useState(0)
  const { isBusy, busy } = useBusy()
  const isDirty = text !== objectText(base)
  const live = useRef(object)
  // A repeated merge begins where the one before ended, also before this is rendered again.
  const mergedBase = useRef(base)
  useEffect(() => {
    live.current = object
    mergedBase.current = base
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
    startWith(view, fresh)
  }

  /** Merges what is live now into the text; answers the base of the merged text, or undefined while it conflicts. */
  function merge(now: Free, mine: string): { base: Free; text: string } | undefined {
    const from = mergedBase.current
    const next = withHiddenValues(now)
    if (!view || changesBetween(from, next).length === 0) {
      const isOpen = view !== null && unanswered(view.state).length > 0
      return isOpen ? undefined : { base: from, text: mine }
    }
    const { text: mergedText, hasConflicts } = mergeIntoEditor(view, { from, next, now, mine })
    mergedBase.current = next
    setBase(next)
    setMerged(changesBetween(from, next))
    setText(mergedText)
    setReview(undefined)
    return hasConflicts ? undefined : { base: next, text: mergedText }
  }

  /** Asks again by itself when the object changed between reading and asking, as its status may at any time. */
  async function reviewed(): Promise<Review | undefined> {
    setRefusal(undefined)
    for (let attempt = 1; attempt <= maxRepeats; attempt += 1) {
      const asked = await reviewOnce()
      if (!asked) return undefined
      if ('review' in asked) {
        setReview(asked.review)
        return asked.review
      }
      if (!asked.refusal.isOutdated) return refuse(asked.refusal)
    }
    return refuse(keepsChanging)
  }

  /** Undefined while the text conflicts with what is live. */
  async function reviewOnce(): Promise<{ review: Review } | { refusal: Refusal } | undefined> {
    const latest = await subject.readLatest()
    const now = latest?.object ?? live.current
    const start = merge(now, view?.state.doc.toString() ?? text)
    if (!start) return undefined
    return requestReview(subject, start, now)
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
        if (!current || !isSameQuestion(before, current)) return false
      }
    }
    refuse(keepsChanging)
    return false
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
