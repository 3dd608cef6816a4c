DROP INDEX "workflow_runs_status_idx";--> statement-breakpoint
DROP INDEX "workflow_runs_subject_idx";--> statement-breakpoint
CREATE INDEX "workflow_runs_workflow_status_idx" ON "workflow_runs" USING btree ("workflow_id","status","queued_at","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_subject_status_idx" ON "workflow_runs" USING btree ("organization_id","subject_type","subject_id","status","queued_at","id") WHERE "workflow_runs"."subject_id" is not null;--> statement-breakpoint
CREATE INDEX "workflow_runs_status_idx" ON "workflow_runs" USING btree ("organization_id","status","queued_at","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_subject_idx" ON "workflow_runs" USING btree ("organization_id","subject_type","subject_id","queued_at","id") WHERE "workflow_runs"."subject_id" is not null;