CREATE TABLE "cluster_health" (
	"cluster_id" integer PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"state" text DEFAULT 'starting' NOT NULL,
	"reason" text,
	"detail" text,
	"since" timestamp (3) with time zone,
	"object" jsonb,
	"announced" text,
	"observer" text NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "cluster_health_state_is_known" CHECK ("cluster_health"."state" in ('failing', 'degraded', 'unknown', 'starting', 'healthy'))
);
--> statement-breakpoint
ALTER TABLE "cluster_health" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "cluster_health" ADD CONSTRAINT "cluster_health_cluster_fk" FOREIGN KEY ("organization_id","cluster_id") REFERENCES "public"."clusters"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cluster_health_organization_id_idx" ON "cluster_health" USING btree ("organization_id","cluster_id");--> statement-breakpoint
CREATE POLICY "tenant" ON "cluster_health" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "cluster_health" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);