// SPDX-License-Identifier: Apache-2.0
//! Contracts for Rust code: conditions on a call's arguments, checked by the hub.

use crate::error::{c_text, call, Error, Result};
use crate::tensor::{Memory, Slot};
use crate::text::text;
use crate::{ffi, Arg, ArgMut, DType, Device, ErrorKind, Tensor};
use std::ffi::CString;
use std::fmt;
use std::mem::MaybeUninit;
use std::ptr::{null_mut, NonNull};

/// Kind of a parameter.
#[doc(alias = "dlf_parameter_kind")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Parameter {
    /// A tensor that the function reads.
    Input = ffi::DLF_PARAMETER_INPUT,
    /// A tensor that the function writes.
    Output = ffi::DLF_PARAMETER_OUTPUT,
    /// A signed integer, or an unsigned one below 64 bits.
    Integer = ffi::DLF_PARAMETER_INTEGER,
    /// An unsigned integer of 64 bits.
    Unsigned = ffi::DLF_PARAMETER_UNSIGNED,
    /// A real number.
    Real = ffi::DLF_PARAMETER_REAL,
    /// Any other argument, which no contract checks.
    Other = ffi::DLF_PARAMETER_OTHER,
    /// A list of tensors that the function reads.
    List = ffi::DLF_PARAMETER_LIST,
    /// A list of numbers, of which a contract knows the length.
    Array = ffi::DLF_PARAMETER_ARRAY,
    /// A tensor that the function makes: absent before the call, checked after it.
    Given = ffi::DLF_PARAMETER_GIVEN,
}

/// An argument of a call. A tensor, an integer or a real number converts into it.
#[doc(alias = "dlf_value")]
pub enum Value<'a> {
    /// An optional tensor that is absent, or an argument of the kind [`Other`](Parameter::Other).
    Absent,
    /// A tensor that the function reads, or has made.
    Input(&'a dyn Arg),
    /// A tensor that the function writes.
    Output(&'a mut dyn ArgMut),
    /// A signed integer.
    Integer(i64),
    /// An unsigned integer of 64 bits.
    Unsigned(u64),
    /// A real number.
    Real(f64),
    /// A list of tensors.
    List(&'a [&'a dyn Arg]),
    /// The length of a list of numbers.
    Array(usize),
}

impl<'a, A: Arg> From<&'a A> for Value<'a> {
    fn from(tensor: &'a A) -> Value<'a> {
        Value::Input(tensor)
    }
}

impl<'a, A: ArgMut> From<&'a mut A> for Value<'a> {
    fn from(tensor: &'a mut A) -> Value<'a> {
        Value::Output(tensor)
    }
}

impl From<i64> for Value<'_> {
    fn from(value: i64) -> Self {
        Value::Integer(value)
    }
}

impl From<u64> for Value<'_> {
    fn from(value: u64) -> Self {
        Value::Unsigned(value)
    }
}

impl From<f64> for Value<'_> {
    fn from(value: f64) -> Self {
        Value::Real(value)
    }
}

impl Value<'_> {
    fn name(&self) -> &'static str {
        match self {
            Value::Absent => "none",
            Value::Input(_) => "a tensor to read",
            Value::Output(_) => "a tensor to write",
            Value::Integer(_) => "a signed integer",
            Value::Unsigned(_) => "an unsigned integer",
            Value::Real(_) => "a real number",
            Value::List(_) => "a list of tensors",
            Value::Array(_) => "a list of numbers",
        }
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Value({})", self.name())
    }
}

/// Description of an output that a contract determines.
#[doc(alias = "dlf_prototype")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prototype {
    /// Its dtype.
    pub dtype: DType,
    /// Its device.
    pub device: Device,
    /// Its extents.
    pub shape: Vec<i64>,
    /// The distances between neighbours along each axis, in elements.
    pub strides: Vec<i64>,
    /// Alignment of the first element in bytes: 0 or a power of two.
    pub align: i64,
}

/// A function's conditions on its arguments, in the language of dlferry's C headers.
///
/// ```
/// use dlferry::contract::{Contract, Parameter, Value};
///
/// let contract = Contract::compile(
///     "image: T[h, w];  out: T[h, w] noalias;  T in f32|f64;  sigma > 0",
///     "blur",
///     &[("image", Parameter::Input), ("sigma", Parameter::Real), ("out", Parameter::Output)],
/// )?;
/// let image = dlferry::Tensor::wrap(vec![0f32; 6], &[2, 3])?;
///
/// // Zeros of the dtype and shape that the inputs determine.
/// let mut out = contract.create("out", &mut [(&image).into(), 1.5.into(), Value::Absent])?;
/// contract.match_(&mut [(&image).into(), 1.5.into(), (&mut out).into()])?;
///
/// let error = contract.match_(&mut [(&image).into(), (-1.0).into(), (&mut out).into()]).unwrap_err();
/// assert_eq!(error.message(), "blur: sigma is -1, wanted sigma > 0");
/// # Ok::<(), dlferry::Error>(())
/// ```
///
/// The results of each `hook(f)` follow the arguments, as integers, in the order of [`Contract::hooks`].
#[doc(alias = "dlf_contract")]
pub struct Contract {
    contract: NonNull<ffi::dlf_contract>,
    function: String,
    parameters: Vec<(String, Parameter)>,
    hooks: Vec<String>,
}

// SAFETY: a compiled contract never changes, and any thread may use it.
unsafe impl Send for Contract {}
// SAFETY: as above.
unsafe impl Sync for Contract {}

impl Contract {
    /// Compile a contract for a function with these parameters, in their order. The function's name opens messages.
    ///
    /// # Errors
    /// [`Invalid`](ErrorKind::Invalid) with the reason and its place,
    /// [`Unsupported`](ErrorKind::Unsupported) for more than 32 tensors, or [`NoMemory`](ErrorKind::NoMemory).
    #[doc(alias = "dlf_contract_compile")]
    pub fn compile(text: &str, function: &str, parameters: &[(&str, Parameter)]) -> Result<Contract> {
        let (text, name) = (c_text("contract", text)?, c_text("contract", function)?);
        let names: Vec<CString> = parameters
            .iter()
            .map(|(name, _)| c_text("contract", *name))
            .collect::<Result<_>>()?;
        let raw: Vec<_> = names
            .iter()
            .zip(parameters)
            .map(|(name, (_, kind))| ffi::dlf_parameter {
                name: name.as_ptr(),
                kind: *kind as i32,
            })
            .collect();
        let (count, size) = (
            i32::try_from(raw.len()).unwrap_or(i32::MAX),
            size_of::<ffi::dlf_parameter>() as i64,
        );
        let mut out = null_mut();
        // SAFETY: the texts end with NUL, there are count parameters; out and error are valid slots.
        call(|error| unsafe {
            ffi::dlf_contract_compile(
                text.as_ptr(),
                name.as_ptr(),
                raw.as_ptr(),
                count,
                size,
                &raw mut out,
                error,
            )
        })?;
        let mut made = Contract {
            // SAFETY: success gives a contract.
            contract: unsafe { NonNull::new_unchecked(out) },
            function: function.to_owned(),
            parameters: parameters
                .iter()
                .map(|(name, kind)| (name.to_string(), *kind))
                .collect(),
            hooks: Vec::new(),
        };
        made.hooks = hooks_of(&made.to_string());
        Ok(made)
    }

    /// Return the names in `hook(f)`, in the order of their results in a call.
    #[must_use]
    pub fn hooks(&self) -> &[String] {
        &self.hooks
    }

    /// Check a call. Call it again after the call if the function made tensors.
    ///
    /// # Errors
    /// [`Dtype`](ErrorKind::Dtype), [`Shape`](ErrorKind::Shape), [`Layout`](ErrorKind::Layout),
    /// [`Device`](ErrorKind::Device), [`ReadOnly`](ErrorKind::ReadOnly), [`Invalid`](ErrorKind::Invalid) for a number out
    /// of its range, shared memory or an argument of another kind, or [`Unsupported`](ErrorKind::Unsupported) for
    /// unknown flags.
    #[doc(alias = "dlf_contract_match")]
    pub fn match_(&self, arguments: &mut [Value<'_>]) -> Result<()> {
        self.with(arguments, |c, values, size, error| {
            // SAFETY: with() lends a contract, its values and a valid slot.
            unsafe { ffi::dlf_contract_match(c, values, size, error) }
        })
    }

    /// Check only the inputs of a call. Otherwise like [`Contract::match_`].
    ///
    /// ```
    /// use dlferry::contract::{Contract, Parameter, Value};
    /// use dlferry::Tensor;
    ///
    /// let parameters = [("x", Parameter::Input), ("out", Parameter::Output)];
    /// let contract = Contract::compile("x: f32[n];  out: f32[n, 2]", "pairs", &parameters)?;
    /// let x = Tensor::from(vec![1i32, 2]);
    /// let error = contract.match_inputs(&mut [(&x).into(), Value::Absent]).unwrap_err();
    /// assert_eq!(error.message(), "pairs: x: dtype is i32, expected f32; got i32[2], wanted f32[n]: cast converts");
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Contract::match_`].
    #[doc(alias = "dlf_contract_match_inputs")]
    pub fn match_inputs(&self, arguments: &mut [Value<'_>]) -> Result<()> {
        self.with(arguments, |c, values, size, error| {
            // SAFETY: with() lends a contract, its values and a valid slot.
            unsafe { ffi::dlf_contract_match_inputs(c, values, size, error) }
        })
    }

    /// Describe an output that the inputs determine.
    ///
    /// ```
    /// use dlferry::contract::{Contract, Parameter, Value};
    /// use dlferry::Tensor;
    ///
    /// let parameters = [("x", Parameter::Input), ("out", Parameter::Output)];
    /// let contract = Contract::compile("x: f32[n];  out: f32[n, 2]", "pairs", &parameters)?;
    /// let x = Tensor::from(vec![1.0f32, 2.0, 3.0]);
    /// assert_eq!(contract.infer("out", &mut [(&x).into(), Value::Absent])?.shape, [3, 2]);
    /// # Ok::<(), dlferry::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Invalid`](ErrorKind::Invalid) if they do not determine it, and those of [`Contract::match_`].
    #[doc(alias = "dlf_contract_infer")]
    pub fn infer(&self, output: &str, arguments: &mut [Value<'_>]) -> Result<Prototype> {
        let index = self.index_of(output)?;
        let mut out = MaybeUninit::<ffi::dlf_prototype>::uninit();
        // SAFETY: the field is inside the structure.
        unsafe { (&raw mut (*out.as_mut_ptr()).size).write(size_of::<ffi::dlf_prototype>() as i64) };
        self.with(arguments, |c, values, size, error| {
            // SAFETY: with() lends a contract, its values and a valid slot; out is another.
            unsafe { ffi::dlf_contract_infer(c, values, size, index, out.as_mut_ptr(), error) }
        })?;
        // SAFETY: the call succeeded and filled it.
        let made = unsafe { out.assume_init_ref() };
        let ndim = made.ndim as usize;
        Ok(Prototype {
            dtype: made.dtype.into(),
            device: made.device.into(),
            shape: made.shape[..ndim].to_vec(),
            strides: made.strides[..ndim].to_vec(),
            align: made.align,
        })
    }

    /// Make an output that the inputs determine, with elements of zero.
    ///
    /// # Errors
    /// Those of [`Contract::infer`] and [`Tensor::create`].
    #[doc(alias = "dlf_contract_create")]
    pub fn create(&self, output: &str, arguments: &mut [Value<'_>]) -> Result<Tensor> {
        let index = self.index_of(output)?;
        let mut out = null_mut();
        self.with(arguments, |c, values, size, error| {
            // SAFETY: with() lends a contract, its values and a valid slot; out is another.
            unsafe { ffi::dlf_contract_create(c, values, size, index, &raw mut out, error) }
        })?;
        // SAFETY: success gives a handle.
        unsafe {
            Tensor::make(Memory::Own, |to, _| {
                *to = out;
                ffi::DLF_OK
            })
        }
    }

    /// Write one parameter's clause in its usual form; `None` writes the whole contract.
    ///
    /// # Errors
    /// [`Invalid`](ErrorKind::Invalid) if there is no such parameter.
    #[doc(alias = "dlf_contract_format")]
    pub fn format(&self, parameter: Option<&str>) -> Result<String> {
        let index = parameter.map_or(Ok(-1), |name| self.index_of(name))?;
        // SAFETY: the contract is alive, text() lends a buffer of that capacity.
        Ok(text(|buffer, capacity| unsafe {
            ffi::dlf_contract_format(self.contract.as_ptr(), index, buffer, capacity)
        }))
    }

    fn index_of(&self, name: &str) -> Result<i32> {
        let found = self.parameters.iter().position(|(parameter, _)| parameter == name);
        found.map(|index| index as i32).ok_or_else(|| {
            let text = format!("{}: expected the name of a parameter, got '{name}'", self.function);
            Error::new(ErrorKind::Invalid, text)
        })
    }

    /// Describe the arguments to C for the length of a call.
    fn with(
        &self,
        arguments: &mut [Value<'_>],
        function: impl FnOnce(*const ffi::dlf_contract, *const ffi::dlf_value, i64, *mut ffi::dlf_error) -> ffi::dlf_status,
    ) -> Result<()> {
        let count = self.parameters.len();
        if arguments.len() != count + self.hooks.len() {
            let text = format!(
                "{}: expected {count} arguments and {} results of hooks, got {}",
                self.function,
                self.hooks.len(),
                arguments.len()
            );
            return Err(Error::new(ErrorKind::Invalid, text));
        }
        for (argument, (name, kind)) in arguments.iter().zip(&self.parameters) {
            if !kind.takes(argument) {
                let text = format!(
                    "{}: {name}: expected {}, got {}",
                    self.function,
                    kind.name(),
                    argument.name()
                );
                return Err(Error::new(ErrorKind::Invalid, text));
            }
        }
        let slots_needed = |argument: &Value<'_>| match argument {
            Value::List(list) => list.len(),
            _ => 1,
        };
        let mut slots: Vec<Slot> = Vec::new();
        slots.resize_with(arguments.iter().map(slots_needed).sum(), Slot::new);
        let mut lists: Vec<Vec<ffi::dlf_arg>> = Vec::new();
        let mut slots = slots.iter_mut();
        // The hub reads a number for each hook that a contract may have.
        let mut values = vec![NOTHING; count + ffi::DLF_MAX_HOOKS as usize];
        for (value, argument) in values.iter_mut().zip(arguments) {
            let mut slot = || slots.next().expect("a slot for each tensor");
            match argument {
                Value::Absent => {}
                Value::Input(tensor) => value.tensor = tensor.lend(slot()).raw(),
                Value::Output(tensor) => value.tensor = tensor.lend_mut(slot()).raw(),
                Value::Integer(number) => value.integer = *number,
                Value::Unsigned(number) => value.integer = *number as i64, // its bits, as the hub wants them
                Value::Real(number) => value.real = *number,
                Value::Array(length) => {
                    (value.integer, value.items) = (*length as i64, NonNull::<u8>::dangling().as_ptr().cast());
                }
                Value::List(tensors) => {
                    let list: Vec<_> = tensors.iter().map(|tensor| tensor.lend(slot()).raw()).collect();
                    (value.integer, value.items) = (list.len() as i64, list.as_ptr().cast());
                    lists.push(list);
                }
            }
        }
        let size = size_of::<ffi::dlf_value>() as i64;
        call(|error| function(self.contract.as_ptr(), values.as_ptr(), size, error))
    }
}

const NOTHING: ffi::dlf_value = ffi::dlf_value {
    tensor: ffi::dlf_arg {
        tensor: null_mut(),
        flags: 0,
    },
    integer: 0,
    real: 0.0,
    items: null_mut(),
};

impl Parameter {
    fn takes(self, value: &Value<'_>) -> bool {
        matches!(
            (self, value),
            (Parameter::Input | Parameter::Given, Value::Absent | Value::Input(_))
                | (Parameter::Output, Value::Absent | Value::Output(_))
                | (Parameter::Integer, Value::Integer(_))
                | (Parameter::Unsigned, Value::Unsigned(_))
                | (Parameter::Real, Value::Real(_))
                | (Parameter::Other, _)
                | (Parameter::List, Value::List(_))
                | (Parameter::Array, Value::Array(_))
        )
    }

    fn name(self) -> &'static str {
        match self {
            Parameter::Input | Parameter::Given => "a tensor to read",
            Parameter::Output => "a tensor to write",
            Parameter::Integer => "a signed integer",
            Parameter::Unsigned => "an unsigned integer",
            Parameter::Real => "a real number",
            Parameter::Other => "anything",
            Parameter::List => "a list of tensors",
            Parameter::Array => "a list of numbers",
        }
    }
}

/// The names in `hook(f)` of a contract in its usual form, each once; quoted texts may hold anything.
fn hooks_of(contract: &str) -> Vec<String> {
    let mut names = Vec::new();
    for piece in contract.split('"').step_by(2) {
        for rest in piece.split("hook(").skip(1) {
            let name = rest.split(')').next().unwrap_or_default().trim();
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

/// The contract in its usual form.
impl fmt::Display for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.format(None).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Contract({}: {self})", self.function)
    }
}

impl Drop for Contract {
    fn drop(&mut self) {
        // SAFETY: made by the hub, and freed once.
        unsafe { ffi::dlf_contract_free(self.contract.as_ptr()) }
    }
}
