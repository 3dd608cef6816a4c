import { Button } from './button.tsx'

export interface FormFootProps {
  /** What its submission is doing, and why the last one was refused. */
  form: { isBusy: boolean; refusal?: string | undefined }
  /** What its button says: "Save". */
  submit: string
  onCancel: () => void
}

/** The end of a form in a dialog: why it was refused, and its two buttons. */
export function FormFoot({ form: { isBusy, refusal }, submit, onCancel }: FormFootProps) {
  return (
    <>
      {/* There from the start, so that a screen reader says what comes into it. */}
      <div role="alert" className={refusal ? 'text-danger' : 'hidden'}>
        {refusal}
      </div>
      <div className="mt-1 flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={isBusy}>
          {submit}
        </Button>
      </div>
    </>
  )
}
