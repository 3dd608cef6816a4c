DROP INDEX "workflow_runs_workflow_id_idx";--> statement-breakpoint
DROP INDEX "workflow_runs_workflow_status_idx";--> statement-breakpoint
CREATE INDEX "workflow_runs_by_workflow_idx" ON "workflow_runs" USING btree ("organization_id","workflow_id","queued_at","id","status","started_at","finished_at");--> statement-breakpoint
CREATE INDEX "workflow_runs_by_workflow_status_idx" ON "workflow_runs" USING btree ("organization_id","workflow_id","status","queued_at","id");