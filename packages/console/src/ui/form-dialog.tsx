import type { ReactNode } from 'react'
import type { DialogProps } from './dialog.tsx'
import { Dialog } from './dialog.tsx'
import type { FormFootProps } from './form-foot.tsx'
import { FormFoot } from './form-foot.tsx'

/** A form in a dialog that a click beside it does not close: its fields, and below them why it was refused and its buttons. */
export function FormDialog({
  title,
  size = 'normal',
  form,
  submit,
  onClose,
  children,
}: Pick<DialogProps, 'title' | 'size'> & {
  form: FormFootProps['form'] & { onSubmit: () => void }
  /** What its button says: "Save". */
  submit: string
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={title}
      size={size}
      isModalStrict
    >
      <form
        noValidate
        className="flex flex-col gap-4 pb-1"
        onSubmit={(event) => {
          event.preventDefault()
          form.onSubmit()
        }}
      >
        {children}
        <FormFoot form={form} submit={submit} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
