ALTER TABLE "usage_events" DROP CONSTRAINT "usage_events_organization_id_organizations_id_fk";
--> statement-breakpoint
ALTER TABLE "usage_pending" DROP CONSTRAINT "usage_pending_organization_id_organizations_id_fk";
