DROP INDEX "workflow_runs_subject_idx";--> statement-breakpoint
DROP INDEX "workflow_runs_cancel_requested_by_idx";--> statement-breakpoint
CREATE INDEX "workflow_runs_subject_idx" ON "workflow_runs" USING btree ("organization_id","subject_type","subject_id","queued_at") WHERE "workflow_runs"."subject_id" is not null;--> statement-breakpoint
CREATE INDEX "workflow_runs_cancel_requested_by_idx" ON "workflow_runs" USING btree ("cancel_requested_by") WHERE "workflow_runs"."cancel_requested_by" is not null;