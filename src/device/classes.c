// SPDX-License-Identifier: Apache-2.0
/// \file
/// The check that every device class must pass before it is used.
#include <limits.h>
#include <string.h>

#include "base/expr.h"
#include "device/ports.h"

enum { PORT_LIMIT = 4096, SHOWN = 64 };

static bool is_word(const char *text)
{
    return text && strnlen(text, SHOWN) < SHOWN && ri_expr_is_name(text, strlen(text));
}

static RiStatus check_head(RiContext *ctx, const RiDeviceClass *d)
{
    if (!is_word(d->name))
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "device class: the name must be a word of letters, digits and '_', shorter than %d", SHOWN);
    if (!d->doc || !d->doc[0])
        return ri_error(ctx, RI_ERR_ARGUMENT, "device class '%s' has no doc", d->name);
    if ((unsigned)d->attach > (d->abi == 1 ? RI_ATTACH_WRENCH : RI_ATTACH_JOINTS))
        return ri_error(ctx, RI_ERR_ARGUMENT, "device class '%s': attach %d is not one of RiAttach", d->name,
                        (int)d->attach);
    if (d->abi == 2 && d->attach == RI_ATTACH_JOINTS)
        return ri_error(
            ctx, RI_ERR_UNSUPPORTED,
            "device class '%s' on a group of joints: its abi is 2, this program has RI_DEVICE_ABI %d; compile "
            "the device again",
            d->name, RI_DEVICE_ABI);
    if (!d->update)
        return ri_error(ctx, RI_ERR_ARGUMENT, "device class '%s' has no update function", d->name);
    if (d->port_count < 0 || d->port_count > PORT_LIMIT || (d->port_count > 0 && !d->ports))
        return ri_error(ctx, RI_ERR_ARGUMENT, "device class '%s': port_count %d with ports %s; 0 to %d are allowed",
                        d->name, d->port_count, d->ports ? "given" : "NULL", PORT_LIMIT);
    return RI_OK;
}

static RiStatus check_unit(RiContext *ctx, const RiDeviceClass *d, const RiPort *p)
{
    RiQuantity unit;
    RiExprError error;
    if (!p->unit)
        return ri_error(ctx, RI_ERR_ARGUMENT, "device class '%s', port '%s': the unit is NULL; \"\" is a plain number",
                        d->name, p->name);
    if (ri_unit_parse(p->unit, strlen(p->unit), &unit, &error) != RI_OK)
        return ri_error(ctx, RI_ERR_ARGUMENT, "device class '%s', port '%s': unit '%.*s', column %d: %s", d->name,
                        p->name, SHOWN, p->unit, error.column, error.text);
    if (unit.value != 1.0)
        return ri_error(ctx, RI_ERR_ARGUMENT, "device class '%s', port '%s': unit '%s' is not SI", d->name, p->name,
                        p->unit);
    return RI_OK;
}

static RiStatus check_numbers(RiContext *ctx, const RiDeviceClass *d, const RiPort *p)
{
    if (!(p->low <= p->high))
        return ri_error(ctx, RI_ERR_ARGUMENT, "device class '%s', port '%s': limits [%g, %g] are not in order", d->name,
                        p->name, p->low, p->high);
    const bool limited = p->kind == RI_VALUE_PARAMETER || p->kind == RI_VALUE_INPUT;
    if (!isfinite(p->initial) || (limited && (p->initial < p->low || p->initial > p->high)))
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "device class '%s', port '%s': initial value %g is not finite or outside its limits [%g, %g]",
                        d->name, p->name, p->initial, p->low, p->high);
    return RI_OK;
}

static RiStatus check_action(RiContext *ctx, const RiDeviceClass *d, const RiPort *p)
{
    if ((unsigned)p->action > RI_PORT_SERVO_LIMIT)
        return ri_error(ctx, RI_ERR_ARGUMENT, "device class '%s', port '%s': action %d is not one of RiPortAction",
                        d->name, p->name, (int)p->action);
    if (p->action != RI_PORT_NONE && (p->kind != RI_VALUE_OUTPUT || d->attach != RI_ATTACH_JOINT))
        return ri_error(ctx, RI_ERR_ARGUMENT,
                        "device class '%s', port '%s': only an output of a device on a joint may act on it", d->name,
                        p->name);
    return RI_OK;
}

static RiStatus check_port(RiContext *ctx, const RiDeviceClass *d, int index)
{
    const RiPort *p = &d->ports[index];
    if (!is_word(p->name))
        return ri_error(
            ctx, RI_ERR_ARGUMENT,
            "device class '%s', port %d: the name must be a word of letters, digits and '_', shorter than %d", d->name,
            index, SHOWN);
    for (int k = 0; k < index; k++)
        if (strcmp(d->ports[k].name, p->name) == 0)
            return ri_error(ctx, RI_ERR_ARGUMENT, "device class '%s': ports %d and %d are both '%s'", d->name, k, index,
                            p->name);
    if (!p->doc || !p->doc[0])
        return ri_error(ctx, RI_ERR_ARGUMENT, "device class '%s', port '%s' has no doc", d->name, p->name);
    if ((unsigned)p->kind > RI_VALUE_OUTPUT)
        return ri_error(ctx, RI_ERR_ARGUMENT, "device class '%s', port '%s': kind %d is not one of RiValueKind",
                        d->name, p->name, (int)p->kind);
    RI_TRY(check_unit(ctx, d, p));
    RI_TRY(check_numbers(ctx, d, p));
    return check_action(ctx, d, p);
}

RiStatus ri_device_check(RiContext *ctx, const RiDeviceClass *device)
{
    if (device->abi < 1 || device->abi > RI_DEVICE_ABI)
        return ri_error(ctx, RI_ERR_UNSUPPORTED,
                        "device class: its abi is %d, this program has RI_DEVICE_ABI %d; compile the device again",
                        device->abi, RI_DEVICE_ABI);
    RI_TRY(check_head(ctx, device));
    for (int i = 0; i < device->port_count; i++)
        RI_TRY(check_port(ctx, device, i));
    return RI_OK;
}
