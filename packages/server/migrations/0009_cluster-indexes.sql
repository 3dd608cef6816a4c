DROP INDEX "clusters_status_idx";--> statement-breakpoint
CREATE INDEX "clusters_title_idx" ON "clusters" USING btree ("organization_id","title","id") WHERE "clusters"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "clusters_deleted_idx" ON "clusters" USING btree ("organization_id","created_at","id") WHERE "clusters"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "clusters_status_idx" ON "clusters" USING btree ("organization_id","status","id") WHERE "clusters"."deleted_at" is null;