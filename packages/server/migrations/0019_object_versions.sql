CREATE TABLE "object_versions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"cluster_id" integer NOT NULL,
	"resource" text NOT NULL,
	"kind" text NOT NULL,
	"namespace" text NOT NULL,
	"name" text NOT NULL,
	"uid" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"change" text NOT NULL,
	"manager" text,
	"hash" text NOT NULL,
	"bytes" integer NOT NULL,
	"object" jsonb,
	CONSTRAINT "object_versions_change_is_known" CHECK ("object_versions"."change" in ('found', 'created', 'updated', 'deleted'))
);
--> statement-breakpoint
ALTER TABLE "object_versions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "object_versions" ADD CONSTRAINT "object_versions_cluster_fk" FOREIGN KEY ("organization_id","cluster_id") REFERENCES "public"."clusters"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "object_versions_object_idx" ON "object_versions" USING btree ("organization_id","cluster_id","resource","namespace","name","at","id");--> statement-breakpoint
CREATE INDEX "object_versions_at_idx" ON "object_versions" USING btree ("organization_id","cluster_id","at","id");--> statement-breakpoint
CREATE POLICY "tenant" ON "object_versions" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "object_versions" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);