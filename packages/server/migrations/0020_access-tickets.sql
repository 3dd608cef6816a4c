CREATE TABLE "access_tickets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"cluster_id" integer NOT NULL,
	"session_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"ticket_hash" "bytea" NOT NULL,
	"path" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "access_tickets_ticket_hash_key" UNIQUE("ticket_hash"),
	CONSTRAINT "access_tickets_kind_known" CHECK ("access_tickets"."kind" in ('stream', 'service'))
);
--> statement-breakpoint
ALTER TABLE "access_tickets" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "access_tickets" ADD CONSTRAINT "access_tickets_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_tickets" ADD CONSTRAINT "access_tickets_organization_id_cluster_id_clusters_organization_id_id_fk" FOREIGN KEY ("organization_id","cluster_id") REFERENCES "public"."clusters"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "access_tickets_session_id_idx" ON "access_tickets" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "access_tickets_cluster_idx" ON "access_tickets" USING btree ("organization_id","cluster_id");--> statement-breakpoint
CREATE INDEX "access_tickets_expires_at_idx" ON "access_tickets" USING btree ("expires_at");--> statement-breakpoint
CREATE POLICY "tenant" ON "access_tickets" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "access_tickets" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);